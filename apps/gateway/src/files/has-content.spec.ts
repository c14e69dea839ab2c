import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { hasContent } from './has-content.js';

describe('whether a request has content', () => {
  let server: Server;
  let client: Socket;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  });

  afterEach(() => {
    client.destroy();
    server.close();
  });

  /** The request that the client sends, as it reaches the server. */
  async function received(length: number, body = ''): Promise<IncomingMessage> {
    client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${body}`);
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    return request;
  }

  /** The client goes, and the server has seen it. */
  async function leave(request: IncomingMessage): Promise<void> {
    client.destroy();
    await new Promise((resolve) => request.once('close', resolve));
  }

  it('is so for a body, which can be read from its beginning', async () => {
    const request = await received(5, 'bytes');
    expect(await hasContent(request)).toBe(true);
    expect(await text(request)).toBe('bytes');
  });

  it('is not so for an empty one', async () => {
    const request = await received(0);
    expect(await hasContent(request)).toBe(false);
    expect(await hasContent(request)).toBe(false);
  });

  it('is not so for one without a body whose client has gone', async () => {
    const request = await received(0);
    await leave(request);
    expect(await hasContent(request)).toBe(false);
  });

  it.each(['', 'byt'])('cannot be told when the client went after %j of a body', async (body) => {
    const request = await received(5, body);
    await leave(request);
    await expect(hasContent(request)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('cannot be told when the client goes while it is waited for', async () => {
    const answer = hasContent(await received(5));
    client.destroy();
    await expect(answer).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
