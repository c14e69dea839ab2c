import { Readable } from 'node:stream';
import { StoredBytes } from './stored-bytes.js';

/** Gives what the test pushes, and counts how often it is asked. */
class Taps extends Readable {
  asked = 0;

  override _read(): void {
    this.asked += 1;
  }
}

class Translated extends Error {}

const turn = () => new Promise((resolve) => process.nextTick(resolve));
const jest = import.meta.jest;

describe('StoredBytes', () => {
  let source: Taps;
  let bytes: StoredBytes;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    source = new Taps();
    bytes = new StoredBytes(source, {
      toError: (error) => new Translated(String(error)),
      idleTimeoutMs: 1_000,
    });
  });

  afterEach(() => {
    bytes.destroy();
    jest.useRealTimers();
  });

  const failed = () => new Promise<unknown>((resolve) => bytes.once('error', resolve));

  it('asks for nothing before somebody reads', async () => {
    await turn();
    expect(source.asked).toBe(0);
    jest.advanceTimersByTime(100_000);
    expect(bytes.destroyed).toBe(false);
  });

  it('takes no more than the reader does', async () => {
    bytes.on('readable', () => undefined);
    await turn();
    for (let chunks = 0; chunks < 50 && !source.isPaused(); chunks += 1) {
      source.push(Buffer.alloc(16_384));
      await turn();
    }
    expect(source.isPaused()).toBe(true);
    expect(bytes.readableLength).toBeLessThanOrEqual(2 * 65_536);
  });

  it('gives up a source that is silent while the reader waits', async () => {
    const failure = failed();
    bytes.on('data', () => undefined);
    await turn();
    source.push(Buffer.from('first'));
    await turn();
    jest.advanceTimersByTime(999);
    expect(bytes.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(await failure).toEqual(new Translated('Error: No byte came for 1000 ms'));
    expect(source.destroyed).toBe(true);
  });

  it('counts the silence from the last byte', async () => {
    bytes.on('data', () => undefined);
    for (let rounds = 0; rounds < 5; rounds += 1) {
      await turn();
      jest.advanceTimersByTime(900);
      source.push(Buffer.from('more'));
      await turn();
    }
    expect(bytes.destroyed).toBe(false);
  });

  it('waits for a slow reader as long as it likes', async () => {
    bytes.on('readable', () => undefined);
    await turn();
    for (let chunks = 0; chunks < 50 && !source.isPaused(); chunks += 1) {
      source.push(Buffer.alloc(65_536));
      await turn();
    }
    expect(source.isPaused()).toBe(true);
    jest.advanceTimersByTime(3_600_000);
    expect(bytes.destroyed).toBe(false);
  });

  it('has no clock after the end', async () => {
    const content = bytes.toArray();
    await turn();
    source.push('all');
    source.push(null);
    expect(Buffer.concat(await content).toString()).toBe('all');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('translates the error of the source, and a source that is closed too early', async () => {
    const failure = failed();
    source.destroy(new Error('EIO'));
    expect(await failure).toEqual(new Translated('Error: EIO'));
    const second = new Taps();
    const dropped = new StoredBytes(second, { toError: (error) => new Translated(String(error)) });
    const closed = new Promise<unknown>((resolve) => dropped.once('error', resolve));
    second.destroy();
    expect(await closed).toEqual(new Translated('Error: The source was closed'));
  });

  it('tells a reader that comes after the error, and nobody before', async () => {
    source.destroy(new Error('EIO'));
    await new Promise((closed) => bytes.once('close', closed));
    await expect(bytes.toArray()).rejects.toEqual(new Translated('Error: EIO'));
  });

  it('closes the source when the reader goes, and has no clock then', async () => {
    bytes.on('data', () => undefined);
    await turn();
    bytes.destroy();
    await turn();
    expect(source.destroyed).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });
});
