import { AppError, handedFileSchema, type HandedFile, type OperationAnswer } from '@aos/contracts';
import { Files, parseRange, type FileReading, type FileStore, type ReadOptions } from '@aos/file-store';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer } from '../http/send-answer.js';
import { isUnchanged } from '../http/static/entity-tags.js';
import { OpenRequests } from '../streams/open-requests.js';
import { storeFailure } from './store-failures.js';

const ok = 200;

/** Types that a browser may show in place. Anything else could bring script into this origin, and is saved. */
const shownInPlace = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain', 'application/pdf'];

const commonHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-cache',
} as const;

/** Sends the bytes of a file whose owner has said where they are. */
@Injectable()
export class FileAnswers {
  constructor(
    @Inject(Files) private readonly files: FileStore,
    private readonly requests: OpenRequests,
  ) {}

  async send(answer: OperationAnswer, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (answer.status !== ok) return sendAnswer(reply, answer);
    const file = handedFileSchema.parse(JSON.parse(answer.body));
    reply.headers(headersOf(file));
    if (isUnchanged(request.headers['if-none-match'], etagOf(file))) return reply.code(304).send();
    // `Range` has a meaning for GET alone.
    if (request.method === 'HEAD') return reply.header('content-length', file.size_bytes).send();
    const range = parseRange(rangeOf(request, file), file.size_bytes);
    if (range === 'unsatisfiable') {
      const message = `Range: the file has ${file.size_bytes} bytes.`;
      reply.header('content-range', `bytes */${file.size_bytes}`).header('content-type', 'application/json');
      return reply.code(416).send(new AppError('invalid_request', message).toBody());
    }
    const { stream } = await this.read(file, range === 'full' ? {} : { range }, request, reply);
    if (range === 'full') return reply.header('content-length', file.size_bytes).send(stream);
    return reply
      .code(206)
      .header('content-range', `bytes ${range.start}-${range.end}/${file.size_bytes}`)
      .header('content-length', range.end - range.start + 1)
      .send(stream);
  }

  /** For a file that is made at each request: whether there would be one, and of which type. */
  sendHead(answer: OperationAnswer, contentType: string, reply: FastifyReply): FastifyReply {
    if (answer.status !== ok) return sendAnswer(reply, answer);
    return reply.headers({ ...commonHeaders, 'content-type': contentType }).send();
  }

  private async read(
    { key }: HandedFile,
    options: ReadOptions,
    { principal }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FileReading> {
    const leave = this.requests.acquire(principal!);
    try {
      const reading = await this.files.read(key, options);
      this.requests.download(reply, leave);
      return reading;
    } catch (error) {
      leave();
      throw storeFailure(error);
    }
  }
}

/** A range of a file that has changed since would fit nothing: then the whole file is sent. */
function rangeOf({ headers }: FastifyRequest, file: HandedFile): string | undefined {
  const condition = headers['if-range'];
  return condition === undefined || condition === etagOf(file) ? headers.range : undefined;
}

function etagOf({ sha256 }: HandedFile): string {
  return `"${sha256}"`;
}

function headersOf(file: HandedFile): Record<string, string> {
  const byType = shownInPlace.includes(file.content_type) ? 'inline' : 'attachment';
  const disposition = file.disposition ?? byType;
  const name = encodeURIComponent(file.path.slice(file.path.lastIndexOf('/') + 1)).replaceAll("'", '%27');
  return {
    ...commonHeaders,
    'content-type': file.content_type.startsWith('text/')
      ? `${file.content_type}; charset=utf-8`
      : file.content_type,
    'content-disposition': `${disposition}; filename*=UTF-8''${name}`,
    etag: etagOf(file),
    'last-modified': new Date(file.updated_at).toUTCString(),
  };
}
