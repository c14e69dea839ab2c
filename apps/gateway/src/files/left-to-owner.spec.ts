import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { AppError } from '@aos/contracts';
import { FileTooLarge } from '@aos/file-store';
import type { FastifyRequest } from 'fastify';
import { DigestedBytes, digestOf, leaveToOwner } from './left-to-owner.js';

const chunks = Array.from({ length: 50 }, (_, n) => Buffer.alloc(10_000, n));
const whole = Buffer.concat(chunks);
const digest = {
  key: 'not-stored',
  size_bytes: whole.length,
  sha256: createHash('sha256').update(whole).digest('hex'),
};

describe('bytes that are known to the last', () => {
  it('are digested without being kept', async () => {
    expect(await digestOf(Readable.from(chunks), whole.length)).toEqual(digest);
  });

  it('are digested also where who reads them stops before', async () => {
    const bytes = new DigestedBytes(Readable.from(chunks), whole.length);
    for await (const _ of bytes.iterator({ destroyOnReturn: false })) break;
    expect(await bytes.rest()).toEqual(digest);
  });

  it('are refused where they are too many', async () => {
    await expect(digestOf(Readable.from(chunks), whole.length - 1)).rejects.toThrow(FileTooLarge);
  });

  it('end with their source when that breaks off, also while nobody reads them', async () => {
    const source = new PassThrough();
    const bytes = new DigestedBytes(source, whole.length);
    source.write('some');
    source.destroy(new Error('the client has gone'));
    await new Promise((resolve) => bytes.once('close', resolve));
    await expect(bytes.rest()).rejects.toThrow('the client has gone');
  });
});

describe('a refusal that is found out before the owner hears of the request', () => {
  const request = (headers: object) => ({ headers }) as FastifyRequest;
  const keyed = request({ 'idempotency-key': 'once' });

  it.each(['not_found', 'limit_reached'] as const)('with %s is left to it under a key', (code) => {
    const error = new AppError(code, 'refused');
    expect(leaveToOwner(error, keyed)).toBeUndefined();
    expect(() => leaveToOwner(error, request({}))).toThrow(error);
  });

  it.each(['rate_limited', 'unavailable'] as const)('with %s is never kept', (code) => {
    const error = new AppError(code, 'refused');
    expect(() => leaveToOwner(error, keyed)).toThrow(error);
  });
});
