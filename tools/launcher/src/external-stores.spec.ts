import { createServer } from 'node:net';
import { join } from 'node:path';
import { findFreePort, startPostgres } from '@aos/local-infra';
import { temporaryFolder } from '../test/support.js';
import { awaitPostgres, awaitRedis } from './external-stores.js';

const timeoutMs = 30_000;

/** Answers every Redis command with the same line. */
async function fakeRedis(port: number, answer: string) {
  const server = createServer((socket) => {
    // Several commands can come in one piece; each begins with the number of its parts.
    const answerAll = (piece: Buffer) =>
      socket.write(answer.repeat(piece.toString().match(/^\*\d/gm)?.length ?? 0));
    socket.on('data', answerAll).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

describe('a given store', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  it(
    'is used when it takes a session, and a refused password is told without it',
    async () => {
      const postgres = await startPostgres({ dataDir: join(folder.path, 'postgres') });
      try {
        expect(await awaitPostgres(postgres.url)).toBe(postgres.url);
        const wrong = `postgres://postgres:hunter2@127.0.0.1:${postgres.port}/postgres`;
        await expect(awaitPostgres(wrong)).rejects.toThrow(
          `DATABASE_URL: cannot use 127.0.0.1:${postgres.port}: password authentication failed for user "postgres"`,
        );
      } finally {
        await postgres.stop();
      }
    },
    timeoutMs,
  );

  it(
    'is waited for while nobody listens',
    async () => {
      const port = await findFreePort();
      const waiting = awaitRedis(`redis://127.0.0.1:${port}`);
      const server = await fakeRedis(port, '+PONG\r\n');
      expect(await waiting).toBe(`redis://127.0.0.1:${port}`);
      await new Promise((resolve) => server.close(resolve));
    },
    timeoutMs,
  );

  it(
    'that wants a password is told in one line',
    async () => {
      const port = await findFreePort();
      const server = await fakeRedis(port, '-NOAUTH Authentication required.\r\n');
      await expect(awaitRedis(`redis://127.0.0.1:${port}`)).rejects.toThrow(
        `REDIS_URL: cannot use 127.0.0.1:${port}: NOAUTH Authentication required.`,
      );
      await new Promise((resolve) => server.close(resolve));
    },
    timeoutMs,
  );
});
