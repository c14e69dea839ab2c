import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { GatheringRedis } from './gathering-redis.js';

describe('GatheringRedis', () => {
  let server: Server;
  const accepted: Socket[] = [];

  beforeAll(async () => {
    server = createServer((socket) => {
      accepted.push(socket.on('error', () => undefined));
      socket.on('data', () => socket.write('+PONG\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(async () => {
    for (const socket of accepted) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    ['is held back until the turn of the event loop ends', undefined, 1],
    ['leaves at once where another version of ioredis is installed', false, 0],
  ])('a command %s', async (_, isOn, corked) => {
    const { port } = server.address() as AddressInfo;
    const options = { enableReadyCheck: false, disableClientInfo: true, lazyConnect: true };
    const redis = new GatheringRedis(`redis://127.0.0.1:${port}`, options, isOn);
    try {
      await redis.connect();
      const answered = redis.ping();
      expect((redis as unknown as { stream: Socket }).stream.writableCorked).toBe(corked);
      expect(await answered).toBe('PONG');
    } finally {
      redis.disconnect();
    }
  });
});
