import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { startGatewayInProcess, type GatewayInProcess } from './gateway-in-process.js';

const paths = ['/v2/openapi.json', '/docs', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/console'];

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

describe('files that do not change', () => {
  let gateway: GatewayInProcess;

  beforeAll(async () => {
    gateway = await startGatewayInProcess();
  });

  afterAll(() => gateway?.stop());

  /** As it travels: `fetch` would unpack it. */
  function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(gateway.url + path, { headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode!, headers: incoming.headers, bytes: Buffer.concat(chunks) }),
        );
      });
      sent.on('error', reject).end();
    });
  }

  it.each(paths)('%s: travels as it is, and compressed to those that take it', async (path) => {
    const plain = await get(path);
    const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    const gzip = await get(path, { 'accept-encoding': 'gzip' });
    expect([plain, brotli, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'br',
      'gzip',
    ]);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    for (const { status, headers, bytes } of [plain, brotli, gzip]) {
      expect([status, headers['vary'], headers['cache-control']]).toEqual([
        200,
        'accept-encoding',
        'no-cache',
      ]);
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(headers['content-type']).toBe(plain.headers['content-type']);
      expect(headers['etag']).toMatch(/^"[\w-]+"$/);
    }
    // Other bytes are another entity.
    expect(new Set([plain, brotli, gzip].map(({ headers }) => headers['etag'])).size).toBe(3);
  });

  it.each(paths)('%s: is not sent again to a client that has it', async (path) => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const accepted = { 'accept-encoding': encoding };
      const etag = (await get(path, accepted)).headers['etag']!;
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await get(path, { ...accepted, 'if-none-match': known });
        expect([known, answer.status, answer.bytes.length]).toEqual([known, 304, 0]);
        expect(answer.headers).toMatchObject({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
        expect(answer.headers['content-encoding']).toBeUndefined();
      }
      const changed = await get(path, { ...accepted, 'if-none-match': '"of-yesterday"' });
      expect(changed.status).toBe(200);
    }
  });

  it('are compressed once: many who ask at once get the same bytes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => get('/v2/openapi.json', { 'accept-encoding': 'br' })),
    );
    expect(new Set(answers.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1);
    const plain = await get('/v2/openapi.json');
    expect(answers[0]!.bytes.length).toBeLessThan(plain.bytes.length / 5);
  });
});
