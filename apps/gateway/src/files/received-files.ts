import type { Readable } from 'node:stream';
import {
  AppError,
  discardFile,
  maxFileBytes,
  maxFormFileBytes,
  notFound,
  stageFile,
  type Operation,
  type OperationAnswer,
  type Principal,
  type StagedFile,
} from '@aos/contracts';
import { FileLinks, Files, FileTooLarge, sandboxFilePath, type FileStore } from '@aos/file-store';
import { ServiceClient } from '@aos/messaging';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { hasContent } from './has-content.js';
import { readForm } from './form-reader.js';
import { DigestedBytes, digestOf, isKeyed, leaveToOwner, type Digest } from './left-to-owner.js';
import { storeFailure } from './store-failures.js';

/** Replaces the parsed body of operations that receive a file. */
export interface ReceivedFile {
  readonly body: Readonly<Record<string, string>>;
  readonly upload: StagedFile | undefined;
}

/** Bytes on their way into the store. */
interface Write {
  readonly key: string;
  readonly done: Promise<unknown>;
}

interface Destination {
  readonly team_id: string;
  readonly sandbox_id: string;
  readonly path?: string;
}

/** Puts the file of a request into the file store while it comes; its owner then makes it part of something. */
@Injectable()
export class ReceivedFiles {
  constructor(
    @Inject(Files) private readonly files: FileStore,
    private readonly links: FileLinks,
    private readonly services: ServiceClient,
    private readonly logger: Logger,
  ) {}

  /** The owner's answer to the request with its file. Bytes that did not become a file are deleted. */
  async receive(
    operation: Operation,
    request: FastifyRequest,
    principal: Principal,
    use: (received: ReceivedFile) => Promise<OperationAnswer>,
  ): Promise<OperationAnswer> {
    const destination = this.destinationOf(operation, request, principal);
    const writes: Write[] = [];
    let isRefused = true;
    try {
      const received = await this.read(operation, request, destination, writes);
      isRefused = false;
      const answer = await use(received);
      isRefused = isCertainlyUnused(answer);
      return answer;
    } finally {
      if (isRefused) for (const write of writes) void this.discard(destination, write);
    }
  }

  private destinationOf(operation: Operation, request: FastifyRequest, { teamId }: Principal): Destination {
    const params = operation.params.safeParse(request.params).data as
      | { token?: string; id?: string }
      | undefined;
    if (params?.token === undefined) {
      if (params?.id === undefined || teamId === null) throw notFound('The sandbox');
      return { team_id: teamId, sandbox_id: params.id };
    }
    const link = this.links.open('upload', params.token);
    if (!link) throw notFound('The upload address');
    return { team_id: link.teamId, sandbox_id: link.sandboxId, path: link.path };
  }

  private async read(
    operation: Operation,
    request: FastifyRequest,
    destination: Destination,
    writes: Write[],
  ): Promise<ReceivedFile> {
    refuseCompressed(request);
    if (operation.takes === 'bytes') {
      const size = declaredLength(request);
      if (size !== undefined && size > maxFileBytes) throw tooLarge(maxFileBytes);
      const wanted = { ...destination, size_bytes: size };
      return { body: {}, upload: await this.store(request, request.raw, wanted, maxFileBytes, writes) };
    }
    if (!(await hasContent(request.raw))) return { body: {}, upload: undefined };
    refuseUnlessForm(request);
    const form = await readForm(request.raw, (bytes, { path }) => {
      // A path that is none is refused by the owner, whose refusals are kept for an Idempotency-Key.
      const isPath = path !== undefined && sandboxFilePath(path).ok;
      const wanted = isPath ? { ...destination, path } : destination;
      return this.store(request, bytes, wanted, maxFormFileBytes, writes);
    });
    return { body: form.fields, upload: form.file && { ...form.file.stored, name: form.file.name } };
  }

  /** Asks first: what has no room is not stored, and what does not tell its size is cut off where the room ends. */
  private async store(
    request: FastifyRequest,
    bytes: Readable,
    wanted: Destination & { readonly size_bytes?: number },
    limitBytes: number,
    writes: Write[],
  ): Promise<Digest> {
    const staged = await this.services
      .call(stageFile, wanted)
      .catch((error: unknown) => leaveToOwner(error, request));
    const roomBytes = staged?.max_bytes ?? limitBytes;
    const isShort = roomBytes < limitBytes;
    const digested = isShort && isKeyed(request) ? new DigestedBytes(bytes, limitBytes) : undefined;
    try {
      if (!staged) return await digestOf(bytes, limitBytes);
      const maxBytes = Math.min(limitBytes, roomBytes);
      const done = this.files.write(staged.key, digested ?? bytes, { maxBytes });
      writes.push({ key: staged.key, done });
      const { sizeBytes, sha256 } = await done;
      return { key: staged.key, size_bytes: sizeBytes, sha256 };
    } catch (error) {
      if (!(error instanceof FileTooLarge)) throw storeFailure(error);
      // The owner stores its refusal under the key, so it needs the digest of all bytes.
      if (digested) return digested.rest().catch((late: unknown) => refuseTooLarge(late, limitBytes));
      throw isShort ? noRoom(roomBytes) : tooLarge(limitBytes);
    }
  }

  private async discard({ team_id, sandbox_id }: Destination, { key, done }: Write): Promise<void> {
    try {
      // A later write would outlive its garbage entry.
      await done.catch(() => undefined);
      await this.services.call(discardFile, { team_id, sandbox_id, key });
    } catch (error) {
      // The owner deletes them when their time is over.
      this.logger.debug({ err: error }, 'deleting refused bytes failed; the sweep will retry');
    }
  }
}

/** The owner refused the file, or told of the one that an earlier request brought. Who did not answer may yet take it. */
function isCertainlyUnused({ status, replayed }: OperationAnswer): boolean {
  return replayed === true || (status >= 400 && status < 500);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', `The file is too large: at most ${maxBytes} bytes.`);
}

function refuseTooLarge(error: unknown, limitBytes: number): never {
  throw error instanceof FileTooLarge ? tooLarge(limitBytes) : error;
}

function noRoom(maxBytes: number): AppError {
  return new AppError('limit_reached', `The sandbox has room for a file of at most ${maxBytes} bytes.`);
}

function declaredLength({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

function refuseCompressed({ headers }: FastifyRequest): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return;
  throw new AppError('unsupported_media_type', 'The body must not be compressed.');
}

function refuseUnlessForm({ headers }: FastifyRequest): void {
  if (/^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '')) return;
  throw new AppError('unsupported_media_type', 'The body must be multipart/form-data, with a boundary.');
}
