import {
  AppError,
  discardImport,
  importFormats,
  maxImportBytes,
  notFound,
  stageImport,
  type Operation,
  type OperationAnswer,
  type Principal,
} from '@aos/contracts';
import { Files, FileTooLarge, type FileStore } from '@aos/file-store';
import { ServiceClient } from '@aos/messaging';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { hasContent } from './has-content.js';
import { UploadLimiter } from './upload-limiter.js';
import { digestOf, leaveToOwner } from './left-to-owner.js';
import type { ReceivedFile } from './received-files.js';
import { storeFailure } from './store-failures.js';

interface Wanted {
  readonly teamId: string;
  readonly queueId: string;
  readonly format: (typeof importFormats)[number];
}

/** Puts the rows of an import into the file store while they come; the owner of the queue then reads them there. */
@Injectable()
export class ReceivedRows {
  private readonly limiter = new UploadLimiter();

  constructor(
    @Inject(Files) private readonly files: FileStore,
    private readonly services: ServiceClient,
    private readonly logger: Logger,
  ) {}

  async receive(
    operation: Operation,
    request: FastifyRequest,
    { teamId }: Principal,
    use: (received: ReceivedFile) => Promise<OperationAnswer>,
  ): Promise<OperationAnswer> {
    if (!(await hasContent(request.raw))) return use({ body: {}, upload: undefined });
    const params = operation.params.safeParse(request.params).data as { queue_id: string } | undefined;
    if (params === undefined || teamId === null) throw notFound('The queue');
    const format = formatOf(request);
    refuseTooLarge(request);
    const release = this.limiter.acquire(teamId);
    try {
      return await this.store(request, { teamId, queueId: params.queue_id, format }, use);
    } finally {
      release();
    }
  }

  private async store(
    request: FastifyRequest,
    { teamId, queueId, format }: Wanted,
    use: (received: ReceivedFile) => Promise<OperationAnswer>,
  ): Promise<OperationAnswer> {
    const body = { content_type: format };
    const staged = await this.services
      .call(stageImport, { team_id: teamId, queue_id: queueId })
      .catch((error: unknown) => leaveToOwner(error, request));
    if (!staged) return use({ body, upload: await this.read(() => digestOf(request.raw, maxImportBytes)) });
    const { key } = staged;
    // A service that did not answer may still be reading.
    let isUnused = true;
    try {
      const write = () => this.files.write(key, request.raw, { maxBytes: maxImportBytes });
      const { sizeBytes, sha256 } = await this.read(write);
      isUnused = false;
      const answer = await use({ body, upload: { key, size_bytes: sizeBytes, sha256 } });
      isUnused = answer.status < 500;
      return answer;
    } finally {
      if (isUnused) void this.discard(teamId, key);
    }
  }

  private async read<Read>(work: () => Promise<Read>): Promise<Read> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof FileTooLarge ? tooLarge() : storeFailure(error);
    }
  }

  private async discard(teamId: string, key: string): Promise<void> {
    try {
      await this.services.call(discardImport, { team_id: teamId, key });
    } catch (error) {
      this.logger.debug({ err: error }, 'deleting the bytes of an import failed; the sweep will retry');
    }
  }
}

function formatOf({ headers }: FastifyRequest): (typeof importFormats)[number] {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const format = importFormats.find((name) => name === type.trim().toLowerCase());
  const isCompressed = (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
  if (format && !isCompressed) return format;
  throw new AppError(
    'unsupported_media_type',
    `The body must be ${importFormats.join(' or ')}, and not compressed.`,
  );
}

function refuseTooLarge({ headers }: FastifyRequest): void {
  if (Number(headers['content-length'] ?? 0) > maxImportBytes) throw tooLarge();
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', `The file is too large: at most ${maxImportBytes} bytes.`);
}
