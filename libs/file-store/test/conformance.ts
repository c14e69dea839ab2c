import { Readable } from 'node:stream';
import { InvalidFileKey } from '../src/names/file-key.js';
import type { FileStore } from '../src/file-store.js';
import { FileNotFound, FileTooLarge } from '../src/file-store-errors.js';
import { contentOf, drain, inChunks, mebibyte, noise, openSource, sha256 } from './sources.js';

/** A store for one test, and whether anything at all lies in it: files, parts, temporary things. */
export interface Place {
  readonly store: FileStore;
  isEmpty(): Promise<boolean>;
}

const key = 'sandboxes/0193/file.txt';
const maxBytes = 100 * mebibyte;

/** What every driver must do; each has this suite in its own spec. */
export function describeConformance(place: () => Place): void {
  const store = () => place().store;

  describe('writing and reading', () => {
    it.each([
      ['nothing', 0],
      ['one byte', 1],
      ['less than a part of S3', mebibyte + 1],
      ['a part of S3 exactly', 5 * mebibyte],
      ['a byte more', 5 * mebibyte + 1],
      ['two parts exactly', 10 * mebibyte],
      ['several parts', 12 * mebibyte + 12_345],
    ])('gives back %s, from a stream and from a buffer', async (_, sizeBytes) => {
      const bytes = noise(sizeBytes);
      const expected = { sizeBytes, sha256: sha256(bytes) };
      expect(await store().write('a/stream', inChunks(bytes), { maxBytes })).toEqual(expected);
      expect(await store().write('a/buffer', bytes, { maxBytes })).toEqual(expected);
      for (const name of ['a/stream', 'a/buffer']) {
        const reading = await store().read(name);
        expect(reading.sizeBytes).toBe(sizeBytes);
        expect(sha256(Buffer.concat(await reading.stream.toArray()))).toBe(expected.sha256);
        expect(await store().size(name)).toBe(sizeBytes);
      }
    });

    it('replaces what was there wholly', async () => {
      await store().write(key, noise(9_000), { maxBytes });
      await store().write(key, Buffer.from('short'), { maxBytes });
      expect((await contentOf(store(), key)).toString()).toBe('short');
    });

    it('shows a file when its last byte is stored, and until then what was there before', async () => {
      const first = openSource(Buffer.from('first'));
      const writing = store().write(key, first.source, { maxBytes });
      await first.taken;
      expect(await store().size(key)).toBeUndefined();
      await expect(store().read(key)).rejects.toThrow(FileNotFound);
      expect(await store().list('', { limit: 10 })).toEqual([]);
      first.source.end();
      await writing;
      const second = openSource(noise(6 * mebibyte));
      const rewriting = store().write(key, second.source, { maxBytes });
      await second.taken;
      expect((await contentOf(store(), key)).toString()).toBe('first');
      second.source.end();
      await rewriting;
      expect(await store().size(key)).toBe(6 * mebibyte);
    });

    it('lets one of several writers of a key win wholly', async () => {
      const contents = Array.from({ length: 8 }, () => noise(200_000));
      await Promise.all(contents.map((bytes) => store().write(key, inChunks(bytes), { maxBytes })));
      const stored = sha256(await contentOf(store(), key));
      expect(contents.map(sha256)).toContain(stored);
      await store().delete(key);
      expect(await place().isEmpty()).toBe(true);
    });
  });

  describe('a write that fails', () => {
    const sizes: [string, number][] = [
      ['small', 5],
      ['of several parts', 6 * mebibyte],
    ];

    it.each(sizes)('takes exactly maxBytes and not one more: %s', async (_, sizeBytes) => {
      const bytes = noise(sizeBytes);
      await store().write(key, inChunks(bytes), { maxBytes: sizeBytes });
      for (const source of [inChunks(bytes), bytes]) {
        const failure = await store()
          .write(key, source, { maxBytes: sizeBytes - 1 })
          .catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(FileTooLarge);
        expect(failure).toMatchObject({ maxBytes: sizeBytes - 1 });
      }
      expect(sha256(await contentOf(store(), key))).toBe(sha256(bytes));
      await store().delete(key);
      expect(await place().isEmpty()).toBe(true);
    });

    it('stops reading a source that is too large, and leaves it open for whoever has to answer', async () => {
      const { source } = openSource(noise(1_000));
      await expect(store().write(key, source, { maxBytes: 999 })).rejects.toThrow(FileTooLarge);
      expect(source.destroyed).toBe(false);
      source.write(noise(10));
      expect(source.isPaused()).toBe(true);
      await drain(source);
    });

    it('lets a source fail later without ending the process', async () => {
      const { source } = openSource(noise(1_000));
      await expect(store().write(key, source, { maxBytes: 999 })).rejects.toThrow(FileTooLarge);
      source.destroy(new Error('later'));
      await new Promise((closed) => source.once('close', closed));
    });

    it.each<[string, number]>([['before its first byte', 0], ...sizes])(
      'rejects with the error of the source and leaves nothing: %s',
      async (_, sizeBytes) => {
        const { source, taken } = openSource(noise(sizeBytes));
        const writing = store().write(key, source, { maxBytes });
        const failure = expect(writing).rejects.toThrow('the client is gone');
        await taken;
        source.destroy(new Error('the client is gone'));
        await failure;
        expect(await place().isEmpty()).toBe(true);
      },
    );

    it('does not take the half of a source that was dropped for the whole', async () => {
      const { source, taken } = openSource(Buffer.from('half'));
      const writing = store().write(key, source, { maxBytes });
      const failure = expect(writing).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
      await taken;
      source.destroy();
      await failure;
      expect(await place().isEmpty()).toBe(true);
    });

    it.each(sizes)(
      'ends with the reason of the signal, even when the source is silent: %s',
      async (_, size) => {
        const { source, taken } = openSource(noise(size));
        const controller = new AbortController();
        const writing = store().write(key, source, { maxBytes, signal: controller.signal });
        const failure = expect(writing).rejects.toBe('enough');
        await taken;
        controller.abort('enough');
        await failure;
        expect(source.destroyed).toBe(false);
        expect(await place().isEmpty()).toBe(true);
        source.destroy();
      },
    );

    it('does not begin after the signal', async () => {
      const signal = AbortSignal.abort('too late');
      await expect(store().write(key, Buffer.from('x'), { maxBytes, signal })).rejects.toBe('too late');
      const { source } = openSource(noise(9));
      await expect(store().write(key, source, { maxBytes, signal })).rejects.toBe('too late');
      source.destroy(new Error('later still'));
      await new Promise((closed) => source.once('close', closed));
      expect(await place().isEmpty()).toBe(true);
    });

    it('refuses sources that give no bytes, or have given them already', async () => {
      const read = inChunks(noise(9));
      await read.toArray();
      await expect(store().write(key, read, { maxBytes })).rejects.toThrow(TypeError);
      await expect(store().write(key, Readable.from(['text']), { maxBytes })).rejects.toThrow(TypeError);
      expect(await place().isEmpty()).toBe(true);
    });
  });

  describe('ranges', () => {
    const bytes = Buffer.from('0123456789');

    it.each([
      [{ start: 0 }, '0123456789'],
      [{ start: 0, end: 0 }, '0'],
      [{ start: 3, end: 5 }, '345'],
      [{ start: 7 }, '789'],
      [{ start: 9, end: 9 }, '9'],
      [{ start: 8, end: 500 }, '89'],
    ])('gives %j', async (range, expected) => {
      await store().write(key, bytes, { maxBytes });
      const { stream, sizeBytes } = await store().read(key, { range });
      expect(Buffer.concat(await stream.toArray()).toString()).toBe(expected);
      expect(sizeBytes).toBe(10);
    });

    it('reads across the parts of a large file', async () => {
      const large = noise(11 * mebibyte);
      await store().write(key, inChunks(large), { maxBytes });
      const range = { start: 5 * mebibyte - 3, end: 10 * mebibyte + 3 };
      const part = await contentOf(store(), key, { range });
      expect(sha256(part)).toBe(sha256(large.subarray(range.start, range.end + 1)));
    });

    it('refuses what begins behind the last byte, and what is no range', async () => {
      await store().write(key, bytes, { maxBytes });
      await store().write('a/empty', Buffer.alloc(0), { maxBytes });
      for (const range of [{ start: 10 }, { start: 10, end: 12 }, { start: -1 }, { start: 1.5 }]) {
        await expect(store().read(key, { range })).rejects.toThrow(RangeError);
      }
      await expect(store().read(key, { range: { start: 5, end: 4 } })).rejects.toThrow(RangeError);
      await expect(store().read('a/empty', { range: { start: 0 } })).rejects.toThrow(RangeError);
    });
  });

  describe('reading', () => {
    it('says what is not there', async () => {
      await expect(store().read(key)).rejects.toMatchObject({ name: 'FileNotFound', key });
      await expect(store().read(key, { range: { start: 0 } })).rejects.toThrow(FileNotFound);
      expect(await store().size(key)).toBeUndefined();
    });

    it('can be given up in the middle', async () => {
      await store().write(key, noise(8 * mebibyte), { maxBytes });
      const { stream } = await store().read(key);
      for await (const chunk of stream) {
        expect(chunk).toBeInstanceOf(Buffer);
        break;
      }
      expect(stream.destroyed).toBe(true);
    });

    it('can be given up by the signal: before, at once and in the middle', async () => {
      await store().write(key, noise(8 * mebibyte), { maxBytes });
      await expect(store().read(key, { signal: AbortSignal.abort('no') })).rejects.toBe('no');
      const early = new AbortController();
      const reading = expect(store().read(key, { signal: early.signal })).rejects.toBe('no');
      early.abort('no');
      await reading;
      const controller = new AbortController();
      const { stream } = await store().read(key, { signal: controller.signal });
      const failure = expect(stream.toArray()).rejects.toMatchObject({ name: 'AbortError', cause: 'no' });
      stream.once('data', () => controller.abort('no'));
      await failure;
    });
  });

  describe('deleting', () => {
    it('removes one file, and has nothing against removing it again', async () => {
      await store().write(key, noise(10), { maxBytes });
      await store().write('sandboxes/0193/other', noise(10), { maxBytes });
      await store().delete(key);
      await store().delete(key);
      await store().delete('never/was');
      expect(await store().size(key)).toBeUndefined();
      expect(await store().size('sandboxes/0193/other')).toBe(10);
      await store().delete('sandboxes/0193/other');
      expect(await place().isEmpty()).toBe(true);
    });
  });

  describe('listing', () => {
    const keys = ['a/1', 'a/2', 'a/2/x', 'a-b/1', 'ab/1', 'b/1'].filter((name) => name !== 'a/2');
    const listed = async (prefix: string, after: string | undefined, limit: number) =>
      (await store().list(prefix, { after, limit })).map((file) => file.key);

    it('finds by the start of the key, in the order of keys, page by page', async () => {
      for (const name of keys.toReversed()) await store().write(name, Buffer.from(name), { maxBytes });
      const ordered = ['a-b/1', 'a/1', 'a/2/x', 'ab/1', 'b/1'];
      expect(await listed('', undefined, 100)).toEqual(ordered);
      expect(await listed('a', undefined, 100)).toEqual(ordered.slice(0, 4));
      expect(await listed('a/', undefined, 100)).toEqual(['a/1', 'a/2/x']);
      expect(await listed('a/2', undefined, 100)).toEqual(['a/2/x']);
      expect(await listed('nothing/', undefined, 100)).toEqual([]);
      expect(await listed('', undefined, 2)).toEqual(ordered.slice(0, 2));
      expect(await listed('', 'a/1', 2)).toEqual(ordered.slice(2, 4));
      expect(await listed('', 'a/2/x', 2)).toEqual(ordered.slice(3));
      expect(await listed('', 'a/1z', 100)).toEqual(ordered.slice(2));
      expect(await listed('', 'b/1', 2)).toEqual([]);
      expect(await listed('', undefined, 0)).toEqual([]);
    });

    it('tells size and time', async () => {
      const before = Date.now();
      await store().write(key, noise(123), { maxBytes });
      const [file] = await store().list('', { limit: 1 });
      expect(file).toMatchObject({ key, sizeBytes: 123 });
      // Some clocks of files and of S3 know whole seconds only.
      expect(file!.storedAt.getTime()).toBeGreaterThanOrEqual(before - 1_000);
      expect(file!.storedAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
    });
  });

  describe('keys', () => {
    const bad = [
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      'a/..',
      '../a',
      'a/../b',
      'a/./b',
      '.hidden',
      'a/.temporary/b',
      'a b',
      'a\\b',
      'a\0b',
      'a\nb',
      'ä',
      'a%2fb',
      'a:b',
      'a'.repeat(256),
      `${'a/'.repeat(256)}a`,
    ].map((name): [string, string] => [name.slice(0, 20), name]);

    it.each(bad)('refuses %j', async (_, name) => {
      await expect(store().write(name, noise(1), { maxBytes })).rejects.toThrow(InvalidFileKey);
      await expect(store().read(name)).rejects.toThrow(InvalidFileKey);
      await expect(store().size(name)).rejects.toThrow(InvalidFileKey);
      await expect(store().delete(name)).rejects.toThrow(InvalidFileKey);
    });

    it.each(bad.filter(([, name]) => name !== '' && name !== 'a/'))(
      'lists nothing under %j',
      async (_, name) => {
        await expect(store().list(name, { limit: 1 })).rejects.toThrow(InvalidFileKey);
      },
    );

    it('takes letters, digits, dots, lines and long names', async () => {
      for (const name of ['a', 'A.b-C_9', 'x/y.tar.gz', `${'d'.repeat(255)}/${'f'.repeat(255)}`]) {
        await store().write(name, Buffer.from(name), { maxBytes });
        expect((await contentOf(store(), name)).toString()).toBe(name);
      }
    });
  });

  it('is ready, and sweeping leaves a write under way alone', async () => {
    await expect(store().check()).resolves.toBeUndefined();
    const { source, taken } = openSource(noise(6 * mebibyte));
    const writing = store().write(key, source, { maxBytes });
    await taken;
    expect(await store().sweepTemporary()).toBe(0);
    source.end();
    expect(await writing).toMatchObject({ sizeBytes: 6 * mebibyte });
  });
}
