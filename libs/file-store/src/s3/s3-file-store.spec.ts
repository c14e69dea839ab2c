import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';
import { describeConformance } from '../../test/conformance.js';
import { S3Server, type Fault } from '../../test/s3-server.js';
import { contentOf, drain, inChunks, mebibyte, noise, openSource, sha256 } from '../../test/sources.js';
import { FileNotFound, FileStoreUnavailable, FileTooLarge } from '../file-store-errors.js';
import { S3FileStore, type S3FileStoreOptions } from './s3-file-store.js';

const maxBytes = 100 * mebibyte;

describe('S3FileStore', () => {
  let server: S3Server;
  let store: S3FileStore;
  const more: S3FileStore[] = [];

  /** Another store, with other settings. */
  const storeWith = (options: Partial<S3FileStoreOptions>) => {
    const other = new S3FileStore({ ...server.options, ...options });
    more.push(other);
    return other;
  };

  beforeAll(async () => {
    server = await S3Server.start();
  });

  beforeEach(() => {
    store = new S3FileStore(server.options);
  });

  afterEach(async () => {
    for (const opened of [store, ...more.splice(0)]) await opened.close();
    server.reset();
  });

  afterAll(() => server.close());

  const answering =
    (status: number, applies: (request: string) => boolean): Fault =>
    (incoming, answer) => {
      if (!applies(`${incoming.method} ${incoming.url}`)) return false;
      incoming.resume();
      answer.writeHead(status).end();
      return true;
    };

  describeConformance(() => ({ store, isEmpty: () => server.isEmpty() }));

  it('signs with the keys and the region of the settings, in the style of paths', async () => {
    await store.write('a/b', Buffer.from('x'), { maxBytes });
    expect([...server.authorizations]).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^AWS4-HMAC-SHA256 Credential=the-access-key\/\d{8}\/eu-test-1\/s3\/aws4_request,/,
        ),
      ]),
    );
    expect(server.requests).toEqual([expect.stringMatching(/^PUT \/files\/a\/b(\?|$)/)]);
    expect([...server.authorizations].join()).not.toContain('the-secret-key');
  });

  it('sends a file of one part in one request, a larger one in parts, one after the other', async () => {
    let open = 0;
    let most = 0;
    server.fault = (_incoming, answer) => {
      most = Math.max(most, (open += 1));
      answer.on('close', () => (open -= 1));
      return false;
    };
    await store.write('a/b', inChunks(noise(11 * mebibyte)), { maxBytes });
    expect(server.requests.map((line) => line.replace(/(uploadId=)[^&]+/, '$1<id>'))).toEqual([
      expect.stringMatching(/^POST \/files\/a\/b\?uploads/),
      expect.stringMatching(/^PUT \/files\/a\/b\?.*partNumber=1&uploadId=<id>/),
      expect.stringMatching(/^PUT \/files\/a\/b\?.*partNumber=2&uploadId=<id>/),
      expect.stringMatching(/^PUT \/files\/a\/b\?.*partNumber=3&uploadId=<id>/),
      expect.stringMatching(/^POST \/files\/a\/b\?.*uploadId=<id>/),
    ]);
    expect(most).toBe(1);
  });

  it('asks nothing of S3 for a small file that is too large', async () => {
    await expect(store.write('a/b', noise(10), { maxBytes: 9 })).rejects.toThrow(FileTooLarge);
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['a part', (request: string) => request.includes('partNumber=2')],
    ['the end', (request: string) => request.startsWith('POST') && request.includes('uploadId=')],
  ])('gives the upload up when %s is refused', async (_, applies) => {
    server.fault = answering(403, applies);
    const failure = store.write('a/b', inChunks(noise(11 * mebibyte)), { maxBytes });
    await expect(failure).rejects.toThrow(FileStoreUnavailable);
    expect(server.requests.at(-1)).toMatch(/^DELETE \/files\/a\/b\?.*uploadId=/);
    expect(await server.isEmpty()).toBe(true);
  });

  it('gives the upload up when a part is under way as the signal comes', async () => {
    const controller = new AbortController();
    server.fault = (incoming) => {
      if (!incoming.url?.includes('partNumber=2')) return false;
      controller.abort('enough');
      return true;
    };
    const writing = store.write('a/b', inChunks(noise(11 * mebibyte)), {
      maxBytes,
      signal: controller.signal,
    });
    await expect(writing).rejects.toBe('enough');
    expect(await server.isEmpty()).toBe(true);
  });

  it('tries again what failed once', async () => {
    let failures = 2;
    server.fault = (_incoming, answer) => {
      if (failures === 0) return false;
      failures -= 1;
      answer.destroy();
      return true;
    };
    const bytes = noise(6 * mebibyte);
    await store.write('a/b', inChunks(bytes), { maxBytes });
    expect(sha256(await contentOf(store, 'a/b'))).toBe(sha256(bytes));
    expect(failures).toBe(0);
  });

  describe('a store that does not do its work', () => {
    const calls: Record<string, (unable: S3FileStore) => Promise<unknown>> = {
      'write a file': (unable) => unable.write('a/b', noise(10), { maxBytes }),
      'read a file': (unable) => unable.read('a/b'),
      'look for a file': (unable) => unable.size('a/b'),
      'delete a file': (unable) => unable.delete('a/b'),
      'list files': (unable) => unable.list('', { limit: 1 }),
      'list uploads': (unable) => unable.sweepTemporary(),
      'reach its bucket': (unable) => unable.check(),
    };

    const expectUnavailable = async (unable: S3FileStore) => {
      for (const [action, call] of Object.entries(calls)) {
        const failure = await call(unable).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(FileStoreUnavailable);
        expect(failure).toMatchObject({
          message: expect.stringContaining(`could not ${action}`),
          cause: expect.anything(),
        });
        expect(String(failure)).not.toContain('the-secret-key');
      }
    };

    it('says so when it answers with errors', async () => {
      server.fault = answering(500, () => true);
      await expectUnavailable(store);
    });

    it('says so when it refuses the keys', async () => {
      server.fault = answering(403, () => true);
      await expectUnavailable(store);
    });

    it('says so when nobody listens', async () => {
      const nobody = createServer().listen(0, '127.0.0.1');
      await once(nobody, 'listening');
      const { port } = nobody.address() as AddressInfo;
      nobody.close();
      await once(nobody, 'close');
      await expectUnavailable(storeWith({ endpoint: `http://127.0.0.1:${port}` }));
    });

    it('says so when it never answers', async () => {
      server.fault = () => true;
      await expectUnavailable(storeWith({ requestTimeoutMs: 20 }));
    });

    it('does not take a missing bucket for a missing file', async () => {
      const elsewhere = storeWith({ bucket: 'nowhere' });
      await expect(elsewhere.check()).rejects.toThrow(FileStoreUnavailable);
      await expect(elsewhere.read('a/b')).rejects.toThrow(FileStoreUnavailable);
      await expect(store.read('a/b')).rejects.toThrow(FileNotFound);
    });
  });

  describe('a download', () => {
    it('fails when it breaks off, and is not taken for a whole file', async () => {
      await store.write('a/b', noise(mebibyte), { maxBytes });
      server.fault = (_incoming, answer) => {
        answer.writeHead(200, { 'content-length': String(mebibyte) });
        answer.write(noise(1_000), () => answer.destroy());
        return true;
      };
      const { stream, sizeBytes } = await store.read('a/b');
      expect(sizeBytes).toBe(mebibyte);
      await expect(stream.toArray()).rejects.toThrow(FileStoreUnavailable);
    });

    it('fails when it falls silent', async () => {
      server.fault = (_incoming, answer) => {
        answer.writeHead(200, { 'content-length': String(mebibyte) });
        answer.write(noise(1_000));
        return true;
      };
      const { stream } = await storeWith({ idleTimeoutMs: 20 }).read('a/b');
      const failure = await stream.toArray().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(FileStoreUnavailable);
      expect(failure).toMatchObject({
        cause: expect.objectContaining({ message: 'No byte came for 20 ms' }),
      });
    });

    it('lets go of the connection when the reader has gone', async () => {
      const gone = new Promise<void>((resolve) => {
        server.fault = (_incoming, answer) => {
          answer.on('close', resolve);
          answer.writeHead(200, { 'content-length': String(mebibyte) });
          answer.write(noise(1_000));
          return true;
        };
      });
      const { stream } = await store.read('a/b');
      stream.destroy();
      await gone;
    });

    it('does not give the whole file for a part of it', async () => {
      server.fault = (_incoming, answer) => {
        answer.writeHead(200, { 'content-length': '10' }).end('0123456789');
        return true;
      };
      await expect(store.read('a/b', { range: { start: 2, end: 3 } })).rejects.toThrow(FileStoreUnavailable);
    });
  });

  it('lists more files than S3 gives at once, without what is not from it', async () => {
    const keys = Array.from({ length: 7 }, (_, index) => `a/${index}`);
    for (const key of keys) await store.write(key, Buffer.from('x'), { maxBytes });
    const foreign = new URL(`${server.options.endpoint}/files/a/1%20is%20not%20ours`);
    expect((await fetch(foreign, { method: 'PUT', body: 'x' })).status).toBe(200);
    server.maxKeys = 3;
    server.requests.length = 0;
    expect((await store.list('a/', { limit: 2_000 })).map(({ key }) => key)).toEqual(keys);
    expect(server.requests.map((request) => /max-keys=(\d+)/.exec(request)?.[1])).toEqual([
      '1000',
      '1000',
      '1000',
    ]);
    expect((await store.list('', { limit: 5 })).map(({ key }) => key)).toEqual(keys.slice(0, 5));
    expect((await store.list('', { after: 'a/4', limit: 5 })).map(({ key }) => key)).toEqual(keys.slice(5));
  });

  it('gives up uploads that began more than a day ago', async () => {
    const { accessKeyId, secretAccessKey, endpoint, region, bucket: Bucket } = server.options;
    const client = new S3Client({
      endpoint,
      region,
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
    const begun = async (Key: string, hoursAgo: number) => {
      const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
      return { key: Key, uploadId: UploadId, initiated: new Date(Date.now() - hoursAgo * 3_600_000) };
    };
    const old = await begun('a/old', 25);
    const young = await begun('a/young', 23);
    client.destroy();
    server.uploads = [{ ...old, uploadId: 'already-gone' }, old, young, { ...old, key: 'not from us' }];
    server.requests.length = 0;
    expect(await store.sweepTemporary()).toBe(2);
    expect(server.requests.filter((request) => request.startsWith('DELETE'))).toEqual([
      expect.stringContaining('uploadId=already-gone'),
      expect.stringContaining(`uploadId=${old.uploadId}`),
    ]);
    expect(await server.isEmpty()).toBe(false);
    server.uploads = [{ ...young, initiated: old.initiated }];
    expect(await store.sweepTemporary()).toBe(1);
    expect(await server.isEmpty()).toBe(true);
  });

  it('leaves the source of a refused upload open', async () => {
    server.fault = answering(403, () => true);
    const { source } = openSource(noise(6 * mebibyte));
    await expect(store.write('a/b', source, { maxBytes })).rejects.toThrow(FileStoreUnavailable);
    await drain(source);
  });
});
