import { randomUUID } from 'node:crypto';
import { FileLinks, Files, type FileStore } from '@aos/file-store';
import { EventSource, eventually } from '@aos/testing';
import { RunsBehindGateway } from './runs-behind-gateway.js';

const ofCredential = 3;
const path = `/v2/queues/${randomUUID()}/cases/export`;
/** More than lies between a gateway and a client that reads nothing. */
const long = { pages: 200, pageLength: 1024 * 1024 };

describe('files and exports that are sent', () => {
  let product: RunsBehindGateway;
  let opened: EventSource[];

  beforeAll(async () => {
    product = await RunsBehindGateway.start({ HELD_REQUESTS_PER_CREDENTIAL: String(ofCredential) });
  });

  afterAll(async () => {
    await product?.stop();
  });

  beforeEach(() => {
    opened = [];
    product.runs.exported = long;
  });

  afterEach(async () => {
    for (const source of opened) source.leave();
    await eventually(async () => expect(await product.open('downloads')).toBe(0));
  });

  /** Its client reads nothing of it yet. */
  async function open({
    key = product.key,
    url = product.gateway.url,
    at = path,
  } = {}): Promise<EventSource> {
    const source = await EventSource.open(`${url}${at}`, { authorization: `Bearer ${key}` });
    opened.push(source);
    return source;
  }

  it('an export is one text, however many pages its owner makes of it', async () => {
    product.runs.exported = { pages: 5, pageLength: 10 };
    const answer = await product.request(path);
    expect([answer.status, await answer.text()]).toEqual([200, 'x'.repeat(50)]);
  });

  it('an export may have pages without text, and be refused before there was any', async () => {
    product.runs.exported = { pages: 5, pageLength: 10, empty: 3 };
    const answer = await product.request(path);
    expect([answer.status, await answer.text()]).toEqual([200, 'x'.repeat(20)]);
    product.runs.exported = { pages: 5, pageLength: 10, empty: 3, refused: 3 };
    const refused = await product.request(path);
    expect([refused.status, refused.headers.get('content-disposition'), await refused.json()]).toEqual([
      400,
      null,
      { error: 'invalid_request', message: 'Too many columns.' },
    ]);
  });

  it('an export without text has a place, and nothing more is asked for when its client has left', async () => {
    const { runs } = product;
    runs.exported = { pages: Infinity, pageLength: 0 };
    const leaving = new AbortController();
    const { signal } = leaving;
    const lefts = Array.from({ length: ofCredential }, () =>
      expect(product.request(path, { signal })).rejects.toThrow(),
    );
    await eventually(async () => expect(await product.open('downloads')).toBe(ofCredential));
    const asked = runs.exportedPages;
    await eventually(async () => expect(runs.exportedPages).toBeGreaterThan(asked + ofCredential));
    leaving.abort();
    await Promise.all(lefts);
    await eventually(async () => {
      const before = runs.exportedPages;
      for (let times = 0; times < 5; times += 1) await product.request('/v2/teams');
      expect(runs.exportedPages).toBe(before);
    });
  });

  it('HEAD of an export asks for no more than says whether there is one', async () => {
    const before = product.runs.exportedPages;
    const answer = await product.request(`${path}?format=ndjson`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="cases.ndjson"');
    expect(product.runs.exportedPages).toBeLessThanOrEqual(before + 1);
    await eventually(async () => expect(await product.open('downloads')).toBe(0));
  });

  it('HEAD of a file has its headers, whatever part is wanted, and reads none of its bytes', async () => {
    const [sandboxId, filePath] = [randomUUID(), '/workspace/gone.png'];
    // Its bytes are nowhere: who read them would fail.
    product.runs.file = {
      sandbox_id: sandboxId,
      path: filePath,
      key: `no-such-file/${randomUUID()}`,
      size_bytes: 12_345,
      sha256: 'a'.repeat(64),
      content_type: 'image/png',
      updated_at: new Date().toISOString(),
    };
    const links = product.gateway.app.get(FileLinks, { strict: false });
    const link = links.url('download', { teamId: product.teamId, sandboxId, path: filePath });
    const send = (method: string, headers: Record<string, string> = {}) =>
      product.request(new URL(link).pathname, { method, headers });
    for (const headers of [{}, { range: 'bytes=0-9' }, { range: 'bytes=99999-' }]) {
      const answer = await send('HEAD', headers as Record<string, string>);
      expect([answer.status, await answer.text()]).toEqual([200, '']);
      expect(answer.headers.get('content-length')).toBe('12345');
      expect(answer.headers.get('content-type')).toBe('image/png');
      expect(answer.headers.get('accept-ranges')).toBe('bytes');
      expect(answer.headers.get('etag')).toBe(`"${'a'.repeat(64)}"`);
    }
    const known = await send('HEAD', { 'if-none-match': `W/"${'a'.repeat(64)}"` });
    expect(known.status).toBe(304);
    expect((await send('GET')).status).toBe(404);
    expect(await product.open('downloads')).toBe(0);
  });

  it('an export that finds no place is not begun', async () => {
    for (let count = 0; count < ofCredential; count += 1) await open();
    await eventually(async () => {
      const before = product.runs.exportedPages;
      expect((await product.request(path)).status).toBe(429);
      expect(product.runs.exportedPages).toBe(before);
    });
  });

  it('an export has one of the places of its credential for as long as it is sent', async () => {
    for (let count = 0; count < ofCredential; count += 1) expect((await open()).answer.statusCode).toBe(200);
    expect(await product.open('downloads')).toBe(ofCredential);
    const refused = await product.request(path);
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '5',
      expect.objectContaining({ error: 'rate_limited' }),
    ]);
    opened[0]!.leave();
    await eventually(async () => expect((await open()).answer.statusCode).toBe(200));
  });

  it('a file has one of them, too, until its client has it', async () => {
    const { app } = product.gateway;
    const bytes = Buffer.alloc(64 * 1024 * 1024, 'x');
    const key = `a-download/${randomUUID()}`;
    const { sizeBytes, sha256 } = await app
      .get<FileStore>(Files, { strict: false })
      .write(key, bytes, { maxBytes: bytes.length });
    const [sandboxId, filePath] = [randomUUID(), '/workspace/large.bin'];
    product.runs.file = {
      sandbox_id: sandboxId,
      path: filePath,
      key,
      size_bytes: sizeBytes,
      sha256,
      content_type: 'application/octet-stream',
      updated_at: new Date().toISOString(),
    };
    const links = app.get(FileLinks, { strict: false });
    const link = links.url('download', { teamId: product.teamId, sandboxId, path: filePath });
    const source = await open({ at: new URL(link).pathname });
    expect([source.answer.statusCode, await product.open('downloads')]).toEqual([200, 1]);
    expect(await source.read().ended).toBe('end');
    expect(source.text.length).toBe(bytes.length);
    await eventually(async () => expect(await product.open('downloads')).toBe(0));
  });

  it('an export is cut off when its credential is revoked', async () => {
    const { id, key } = await product.newKey();
    const source = await open({ key });
    await product.request(`/v2/teams/${product.teamId}/api-keys/${id}`, { method: 'DELETE' });
    const headers = { authorization: `Bearer ${key}` };
    await eventually(async () => expect((await product.request('/v2/teams', { headers })).status).toBe(401));
    source.read();
    expect(await source.ended).toBe('cut');
    expect(source.text.length).toBeLessThan(long.pages * long.pageLength);
  });

  it('an export that nobody reads ends with the process, and the shutdown is clean', async () => {
    const gateway = await product.anotherGateway();
    const source = await open({ url: gateway.url });
    expect(await gateway.shutdown.run('test')).toMatchObject({ clean: true });
    source.read();
    expect(await source.ended).toBe('cut');
    await gateway.close();
  });
});
