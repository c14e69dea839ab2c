import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildBuild } from '../../test/child-process.js';
import { LineWriter } from './line-writer.js';
import { createLogger } from './logger.js';

describe('lines of a log', () => {
  let folder: string;
  let file: string;
  let descriptor: number;

  beforeEach(() => {
    import.meta.jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    folder = mkdtempSync(join(tmpdir(), 'lines-'));
    file = join(folder, 'log');
    descriptor = openSync(file, 'a');
  });

  afterEach(() => {
    import.meta.jest.useRealTimers();
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });

  const written = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
  const makeLogger = () =>
    createLogger({ service: 'test', level: 'info', destination: new LineWriter(descriptor) });
  /** The file is written by a thread. */
  const until = async (look: () => void) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return look();
      } catch (error) {
        if (attempt === 1_000) throw error;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };

  it('that tell of nothing wrong are gathered', async () => {
    const logger = makeLogger();
    logger.info('one');
    logger.info('two');
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(written()).toEqual([]);
    import.meta.jest.advanceTimersByTime(20);
    await until(() => expect(written()).toEqual(['one', 'two']));
    logger.info('three');
    import.meta.jest.advanceTimersByTime(20);
    await until(() => expect(written()).toEqual(['one', 'two', 'three']));
  });

  it('leave at once with a warning, in their order', async () => {
    const logger = makeLogger();
    logger.info('one');
    logger.child({ of: 'a part' }).warn('two');
    await until(() => expect(written()).toEqual(['one', 'two']));
  });

  it('leave at once when they are asked to', async () => {
    import.meta.jest.useRealTimers();
    const logger = makeLogger();
    logger.info('one');
    await logger.flush();
    expect(written()).toEqual(['one']);
    await logger.flush();
    expect(written()).toEqual(['one']);
  });

  it('are all there when the process ends, by itself or by a fault', async () => {
    import.meta.jest.useRealTimers();
    const build = await ChildBuild.make();
    try {
      const script = (end: string) => `
        import { createLogger } from './logging/logger.js';
        const logger = createLogger({ service: 'test', level: 'info' });
        logger.info('one');
        logger.info('two');
        process.disconnect();
        ${end}`;
      const [quiet, broken] = await Promise.all([
        build.start(script('')),
        build.start(script("throw new Error('broken');")),
      ]);
      expect(await quiet.exit()).toBe(0);
      expect(quiet.lines.map(({ msg }) => msg)).toEqual(['one', 'two']);
      expect(await broken.exit()).toBe(1);
      expect(broken.lines.map(({ msg }) => msg)).toEqual(['one', 'two']);
    } finally {
      await build.remove();
    }
  });
});
