import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@aos/testing';
import { keepAlive } from './keep-alive.js';

/** A server of Node that answers so, and how many connections have come to it. */
async function serve(answer: RequestListener) {
  const server = createServer(answer);
  let connections = 0;
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/runs?page=1`,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

describe('keepAlive', () => {
  it('sends what it is given, and uses a connection again', async () => {
    await using server = await serve((request, response) => {
      request.setEncoding('utf8').once('data', (body: string) => {
        response.end(JSON.stringify([request.method, request.url, request.headers['x-team'], body]));
      });
    });
    const send = keepAlive();
    for (const body of ['go', 'Grüße']) {
      const answer = await send('POST', server.url, { 'x-team': 'one' }, body);
      expect(JSON.parse(answer)).toEqual(['POST', '/runs?page=1', 'one', body]);
    }
    expect(server.connections()).toBe(1);
  });

  it('puts together what comes in pieces, whether its length is told or not', async () => {
    const pieces = ['first, ', 'zweites Stück', ' 0\r\n\r\n and the last'];
    await using server = await serve((request, response) => {
      const whole = Buffer.from(pieces.join(''));
      if (request.method === 'PUT') response.setHeader('content-length', whole.length);
      // Cut within a letter of two bytes.
      const parts = [whole.subarray(0, 18), whole.subarray(18, 30), whole.subarray(30)];
      const next = () => {
        const part = parts.shift();
        if (part) response.write(part, () => setImmediate(next));
        else response.end();
      };
      next();
    });
    const send = keepAlive();
    expect(await send('GET', server.url, {})).toBe(pieces.join(''));
    expect(await send('PUT', server.url, {})).toBe(pieces.join(''));
    expect(server.connections()).toBe(1);
  });

  it('goes on when enough has come, on another connection until that one is free', async () => {
    const open: ServerResponse[] = [];
    await using server = await serve((_request, response) => {
      response.write('{"status":"completed"}');
      open.push(response);
    });
    const send = keepAlive();
    const ask = () => send('GET', server.url, {}, undefined, 'completed');
    expect(await ask()).toContain('completed');
    await ask();
    expect(server.connections()).toBe(2);
    await Promise.all(open.splice(0).map((response) => once(response.end(), 'close')));
    // Both ends are on their way to the client; a third request may be before them, a fourth is not.
    await eventually(async () => {
      const before = server.connections();
      await ask();
      expect(server.connections()).toBe(before);
    });
  });

  it('refuses answers that are not 2xx, and connections that end before an answer', async () => {
    await using server = await serve((request, response) => {
      if (request.method === 'DELETE') request.socket.destroy();
      else response.writeHead(409).end('busy');
    });
    const send = keepAlive();
    await expect(send('POST', server.url, {}, 'go', 'busy')).rejects.toThrow('409 busy');
    await expect(send('DELETE', server.url, {})).rejects.toThrow(/closed|ECONNRESET/);
  });
});
