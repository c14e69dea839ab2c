import type { Readable } from 'node:stream';
import {
  AppError,
  maxFileBytes,
  maxFormFileBytes,
  notFound,
  stageFile,
  type Operation,
  type Principal,
  type StagedFile,
} from '@aos/contracts';
import { FileLinks, Files, FileTooLarge, type FileStore } from '@aos/file-store';
import { ServiceClient } from '@aos/messaging';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { hasContent } from './has-content.js';
import { readForm } from './form-reader.js';
import { storeFailure } from './store-failures.js';

/** What an operation that takes a file is given instead of a parsed body. */
export interface ReceivedFile {
  readonly body: Readonly<Record<string, string>>;
  readonly upload: StagedFile | undefined;
}

type StoredBytes = Pick<StagedFile, 'key' | 'size_bytes' | 'sha256'>;

/** Puts the file of a request into the file store while it comes; its owner then makes it part of something. */
@Injectable()
export class ReceivedFiles {
  constructor(
    @Inject(Files) private readonly files: FileStore,
    @Inject(FileLinks) private readonly links: FileLinks,
    @Inject(ServiceClient) private readonly services: ServiceClient,
  ) {}

  async receive(operation: Operation, request: FastifyRequest, principal: Principal): Promise<ReceivedFile> {
    const sandboxId = this.sandboxOf(operation, request.params);
    const store = (bytes: Readable, maxBytes: number): Promise<StoredBytes> =>
      this.store(bytes, { teamId: principal.teamId!, sandboxId, maxBytes });
    refuseCompressed(request);
    if (operation.takes === 'bytes') {
      refuseLonger(request, maxFileBytes);
      return { body: {}, upload: await store(request.raw, maxFileBytes) };
    }
    if (!(await hasContent(request.raw))) return { body: {}, upload: undefined };
    refuseUnlessForm(request);
    const form = await readForm(request.raw, (bytes) => store(bytes, maxFormFileBytes));
    return { body: form.fields, upload: form.file && { ...form.file.stored, name: form.file.name } };
  }

  private sandboxOf(operation: Operation, raw: unknown): string {
    const params = operation.params.safeParse(raw).data as { token?: string; id?: string } | undefined;
    const id = params?.token === undefined ? params?.id : this.links.open('upload', params.token)?.sandboxId;
    if (id === undefined) throw notFound('The sandbox');
    return id;
  }

  private async store(
    bytes: Readable,
    { teamId, sandboxId, maxBytes }: { teamId: string; sandboxId: string; maxBytes: number },
  ): Promise<StoredBytes> {
    const { key } = await this.services.call(stageFile, { team_id: teamId, sandbox_id: sandboxId });
    try {
      const { sizeBytes, sha256 } = await this.files.write(key, bytes, { maxBytes });
      return { key, size_bytes: sizeBytes, sha256 };
    } catch (error) {
      throw error instanceof FileTooLarge ? tooLarge(maxBytes) : storeFailure(error);
    }
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', `The file is too large: at most ${maxBytes} bytes.`);
}

function refuseLonger({ headers }: FastifyRequest, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

function refuseCompressed({ headers }: FastifyRequest): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return;
  throw new AppError('unsupported_media_type', 'The body must not be compressed.');
}

function refuseUnlessForm({ headers }: FastifyRequest): void {
  if (/^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '')) return;
  throw new AppError('unsupported_media_type', 'The body must be multipart/form-data, with a boundary.');
}
