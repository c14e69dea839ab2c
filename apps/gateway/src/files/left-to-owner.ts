import { createHash } from 'node:crypto';
import { finished, Transform, type Readable, type TransformCallback } from 'node:stream';
import { AppError, notStoredKey, type StagedFile } from '@aos/contracts';
import { FileTooLarge } from '@aos/file-store';
import type { FastifyRequest } from 'fastify';

/** A digest of the request's bytes. */
export type Digest = Pick<StagedFile, 'key' | 'size_bytes' | 'sha256'>;

/** Refusals that an owner keeps under an Idempotency-Key, and that are found out before it hears of the request. */
const kept: ReadonlySet<string> = new Set(['not_found', 'limit_reached']);

export function isKeyed({ headers }: FastifyRequest): boolean {
  return headers['idempotency-key'] !== undefined;
}

/**
 * A request with an Idempotency-Key for something that is not there, or has no room, is refused by its owner alone: under
 * that key it may have been answered before, and what it is refused with now is kept. Other refusals are thrown.
 */
export function leaveToOwner(error: unknown, request: FastifyRequest): undefined {
  if (isKeyed(request) && error instanceof AppError && kept.has(error.code)) return undefined;
  throw error;
}

/** Digests the request for its Idempotency-Key without keeping the bytes. */
export function digestOf(bytes: Readable, maxBytes: number): Promise<Digest> {
  return new DigestedBytes(bytes, maxBytes).rest();
}

/** Bytes on their way to who stores them, known to the last also where that one stops before. */
export class DigestedBytes extends Transform {
  private readonly hash = createHash('sha256');
  private size = 0;

  constructor(
    bytes: Readable,
    private readonly maxBytes: number,
  ) {
    super();
    // Without a reader, swallow errors so a disconnect cannot crash the process.
    this.on('error', () => undefined);
    // `pipe` tells nothing of a source that breaks off.
    finished(bytes, { writable: false }, (error) => {
      if (error) this.destroy(error);
    });
    bytes.pipe(this);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length;
    if (this.size > this.maxBytes) return done(new FileTooLarge(this.maxBytes));
    this.hash.update(chunk);
    done(null, chunk);
  }

  /** Reads what is left, and keeps nothing of it. */
  async rest(): Promise<Digest> {
    // Whatever was read before is a part of the digest already.
    for await (const _ of this);
    return { key: notStoredKey, size_bytes: this.size, sha256: this.hash.digest('hex') };
  }
}
