import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { socketOf } from './gathering-redis.js';

describe('the socket of ioredis', () => {
  let server: Server;
  let redis: Redis;
  const accepted: Socket[] = [];

  beforeAll(async () => {
    server = createServer((socket) => accepted.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    redis = new Redis({
      host: '127.0.0.1',
      port,
      lazyConnect: true,
      enableReadyCheck: false,
      retryStrategy: () => null,
    });
  });

  afterAll(async () => {
    const ended = new Promise((resolve) => redis.once('end', resolve));
    for (const socket of accepted) socket.destroy();
    await ended;
    await new Promise((resolve) => server.close(resolve));
  });

  it('is where this version keeps it', async () => {
    redis.on('error', () => undefined);
    const connected = new Promise((resolve) => redis.once('connect', resolve));
    redis.connect().catch(() => undefined);
    await connected;
    expect(typeof socketOf(redis).cork).toBe('function');
  });

  it.each([{}, { stream: undefined }, { stream: {} }])('is missed by name where it is not: %j', (other) => {
    expect(() => socketOf(other)).toThrow(/ioredis has no field `stream`/);
  });
});
