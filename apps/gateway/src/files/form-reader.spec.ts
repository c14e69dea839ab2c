import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { readForm, type ReadForm } from './form-reader.js';

const head =
  'POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ntransfer-encoding: chunked\r\n' +
  'content-type: multipart/form-data; boundary=b\r\n\r\n';
const field = '--b\r\ncontent-disposition: form-data; name="path"\r\n\r\n/a.txt\r\n';
const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
const chunk = (part: string) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`;

describe('a form with a file', () => {
  let server: Server;
  const forms: IncomingMessage[] = [];

  beforeAll(async () => {
    server = createServer((request) => void forms.push(request));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterAll(() => server.close());

  /** Sends the beginning of a form; gives what its reader gets, and the client's end of the connection. */
  async function begin(...parts: readonly string[]) {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const requested = once(server, 'request');
    client.write(head + parts.map(chunk).join(''));
    await requested;
    return { client, request: forms.at(-1)! };
  }

  it('is read with its texts', async () => {
    const { client, request } = await begin(field, file, 'some text\r\n--b--\r\n');
    client.write('0\r\n\r\n');
    const form: ReadForm<string> = await readForm(request, (bytes) => text(bytes));
    expect(form).toEqual({ fields: { path: '/a.txt' }, file: { name: 'a.txt', stored: 'some text' } });
    client.destroy();
  });

  it.each([
    ['while its file is being stored', (bytes: Readable) => text(bytes)],
    [
      'before its file is stored',
      async (bytes: Readable) => {
        await once(bytes, 'close').catch(() => undefined);
        return text(bytes);
      },
    ],
  ])('that is cut off %s ends what is stored of it', async (_, store) => {
    const { client, request } = await begin(field, file, 'some te');
    let stored: Promise<string> | undefined;
    const form = readForm(request, (bytes) => {
      // Only what is there is known to be cut off.
      bytes.once('readable', () => client.destroy());
      return (stored = store(bytes));
    });
    await expect(form).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'The form is not complete.',
    });
    await expect(stored).rejects.toThrow();
  });
});
