import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AppError, type StagedFile } from '@aos/contracts';
import { FileTooLarge } from '@aos/file-store';
import type { FastifyRequest } from 'fastify';

/** Names bytes that are stored nowhere. */
const notStored = 'not-stored';

/**
 * A request with an Idempotency-Key for something that is not there is refused by its owner alone: under that key it may
 * have been answered while the thing was there, and what it is refused with now is kept. Other refusals are thrown.
 */
export function leaveToOwner(error: unknown, { headers }: FastifyRequest): undefined {
  const isKeyed = headers['idempotency-key'] !== undefined;
  if (isKeyed && error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}

/** What tells a request from another under the same key; its bytes are read and not kept. */
export async function digestOf(
  bytes: Readable,
  maxBytes: number,
): Promise<Pick<StagedFile, 'key' | 'size_bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new FileTooLarge(maxBytes);
    hash.update(chunk);
  }
  return { key: notStored, size_bytes: size, sha256: hash.digest('hex') };
}
