import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, readlink, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describeConformance } from '../../test/conformance.js';
import { contentOf, drain, mebibyte, noise, openSource, sha256 } from '../../test/sources.js';
import { InvalidFileKey } from '../names/file-key.js';
import { FileNotFound, FileStoreUnavailable, FileTooLarge } from '../file-store-errors.js';
import { FolderFileStore } from './folder-file-store.js';

const maxBytes = 100 * mebibyte;

describe('FolderFileStore', () => {
  let folder: string;
  let root: string;
  let store: FolderFileStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aos-files-'));
    root = join(folder, 'made', 'when-needed');
    store = new FolderFileStore(root);
  });

  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const entries = async () => {
    const found = await readdir(root, { recursive: true }).catch(() => []);
    return found.filter((name) => name !== '.temporary').toSorted();
  };

  /** Only Linux tells. */
  const openFiles = async () => {
    const numbers = await readdir('/proc/self/fd').catch(() => []);
    const paths = await Promise.all(numbers.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    return paths.filter((path) => path.startsWith(folder));
  };

  describeConformance(() => ({ store, isEmpty: async () => (await entries()).length === 0 }));

  it('keeps files and folders to itself', async () => {
    await store.write('a/b/c', noise(10), { maxBytes });
    const { source, taken } = openSource(noise(10));
    const writing = store.write('a/b/d', source, { maxBytes });
    await taken;
    const modes: Record<string, string> = {};
    for (const name of ['.', ...(await readdir(root, { recursive: true }))]) {
      const { mode } = await lstat(join(root, name));
      modes[name.replace(/[0-9a-f-]{36}/, '<uuid>')] = (mode & 0o777).toString(8);
    }
    expect(modes).toEqual({
      '.': '700',
      '.temporary': '700',
      '.temporary/<uuid>': '600',
      a: '700',
      'a/b': '700',
      'a/b/c': '600',
    });
    source.end();
    await writing;
  });

  it('lets a reader that has begun finish with what it began', async () => {
    const old = noise(8 * mebibyte);
    await store.write('a/b', old, { maxBytes });
    const { stream } = await store.read('a/b');
    await store.write('a/b', Buffer.from('new'), { maxBytes });
    await store.delete('a/b');
    expect(sha256(await buffer(stream))).toBe(sha256(old));
  });

  it('closes every file that it opened', async () => {
    const source = openSource(noise(10)).source;
    await store.write('a/b', noise(mebibyte), { maxBytes });
    await expect(store.write('a/c', source, { maxBytes: 5 })).rejects.toThrow(FileTooLarge);
    await expect(store.read('a/b', { range: { start: mebibyte } })).rejects.toThrow(RangeError);
    await expect(store.read('a')).rejects.toThrow(FileNotFound);
    const { stream: unread } = await store.read('a/b');
    const { stream: begun } = await store.read('a/b');
    const { stream: whole } = await store.read('a/b');
    await once(begun, 'readable');
    const closed = [unread, begun, whole].map((stream) => once(stream, 'close'));
    unread.destroy();
    begun.destroy();
    whole.resume();
    await Promise.all(closed);
    expect(await openFiles()).toEqual([]);
  });

  it('makes folders again that a delete removes meanwhile', async () => {
    const loops = Array.from({ length: 24 }, async (_, index) => {
      const key = `sandboxes/one/${index}`;
      for (let rounds = 0; rounds < 25; rounds += 1) {
        await store.write(key, Buffer.from('x'), { maxBytes });
        expect(await store.size(key)).toBe(1);
        await Promise.all([store.delete(key), store.delete(key), store.delete('sandboxes/one/none')]);
      }
    });
    await Promise.all(loops);
    expect(await entries()).toEqual([]);
  });

  it('lists in the order of bytes, without what is not from it', async () => {
    const keys = ['A/1', 'B', 'a-/1', 'a.b/1', 'a/1', 'a0/1', 'a_/1', 'aa/1', 'b'];
    for (const key of keys) await store.write(key, noise(1), { maxBytes });
    await writeFile(join(root, 'not from us'), 'x');
    await writeFile(join(root, 'a', '.DS_Store'), 'x');
    await mkdir(join(root, 'lost+found'));
    await writeFile(join(root, 'lost+found', 'x'), 'x');
    expect((await store.list('', { limit: 100 })).map(({ key }) => key)).toEqual(keys.toSorted());
  });

  it.each([
    ['a folder of another', 'a/b/c', 'a/b'],
    ['below another', 'a/b', 'a/b/c'],
  ])('has no key that is %s', async (_, first, second) => {
    await store.write(first, Buffer.from('first'), { maxBytes });
    await expect(store.write(second, noise(1), { maxBytes })).rejects.toThrow(InvalidFileKey);
    await expect(store.read(second)).rejects.toThrow(FileNotFound);
    expect(await store.size(second)).toBeUndefined();
    await store.delete(second);
    expect((await contentOf(store, first)).toString()).toBe('first');
    expect(await readdir(join(root, '.temporary'))).toEqual([]);
  });

  describe('links', () => {
    let outside: string;

    beforeEach(async () => {
      outside = join(folder, 'outside');
      await mkdir(outside);
      await writeFile(join(outside, 'secret'), 'secret');
      await mkdir(join(root, 'a'), { recursive: true });
      await symlink(outside, join(root, 'folder'));
      await symlink(join(outside, 'secret'), join(root, 'a', 'file'));
    });

    const untouched = async () => {
      expect(await readdir(outside)).toEqual(['secret']);
      expect((await lstat(join(outside, 'secret'))).size).toBe(6);
    };

    it.each(['a/file', 'folder/secret'])('shows nothing through %s', async (key) => {
      await expect(store.read(key)).rejects.toThrow(FileNotFound);
      expect(await store.size(key)).toBeUndefined();
      expect(await store.list('', { limit: 10 })).toEqual([]);
    });

    it('replaces a link in the place of a file, and does not write through it', async () => {
      await store.write('a/file', Buffer.from('mine'), { maxBytes });
      expect((await contentOf(store, 'a/file')).toString()).toBe('mine');
      await untouched();
    });

    it('writes and deletes nothing behind a link in the place of a folder', async () => {
      for (const key of ['folder/new', 'folder/deep/new', 'folder/secret']) {
        await expect(store.write(key, noise(1), { maxBytes })).rejects.toThrow(FileStoreUnavailable);
        await store.delete(key);
      }
      await store.delete('a/file');
      await untouched();
    });

    it('keeps no temporary files behind a link', async () => {
      await symlink(outside, join(root, '.temporary'));
      await expect(store.write('a/b', noise(1), { maxBytes })).rejects.toThrow(FileStoreUnavailable);
      await expect(store.check()).rejects.toThrow(FileStoreUnavailable);
      await untouched();
    });
  });

  it('removes temporary files that nobody has written to for an hour', async () => {
    await store.check();
    const hours = async (name: string, ago: number) => {
      const path = join(root, '.temporary', name);
      await writeFile(path, 'x');
      const then = new Date(Date.now() - ago * 3_600_000);
      await utimes(path, then, then);
    };
    await hours('old', 1.1);
    await hours('older', 50);
    await hours('young', 0.9);
    expect(await store.sweepTemporary()).toBe(2);
    expect(await readdir(join(root, '.temporary'))).toEqual(['young']);
  });

  it('says so when the disk does not do its work', async () => {
    await writeFile(join(folder, 'made'), 'a file where a folder should be');
    await expect(store.check()).rejects.toThrow(FileStoreUnavailable);
    const { source } = openSource(noise(1));
    const failure = await store.write('a/b', source, { maxBytes }).catch((error: unknown) => error);
    await drain(source);
    expect(failure).toBeInstanceOf(FileStoreUnavailable);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/^The file store could not write a file \(E/),
      cause: expect.objectContaining({ code: expect.any(String) }),
    });
  });
});
