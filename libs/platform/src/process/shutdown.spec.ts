import { recordingLogger } from '../../test/log-lines.js';
import { Shutdown } from './shutdown.js';

const never = (): Promise<never> => new Promise(() => undefined);

function setUp(graceMs = 5000) {
  const log = recordingLogger();
  return { log, shutdown: new Shutdown(log.logger, graceMs) };
}

describe('Shutdown', () => {
  it('runs the phases in order, whatever the order of adding', async () => {
    const { shutdown, log } = setUp();
    const done: string[] = [];
    const step = (name: string) => async () => {
      await new Promise((resolve) => setImmediate(resolve));
      done.push(name);
    };
    shutdown.add('close', 'pool', step('pool'));
    shutdown.add('drain', 'worker', step('worker'));
    shutdown.add('stop-intake', 'http', step('http'));
    shutdown.add('stop-intake', 'stream', step('stream'));
    const result = await shutdown.run('SIGTERM');
    expect(done).toEqual(['http', 'stream', 'worker', 'pool']);
    expect(result.clean).toBe(true);
    expect(log.lines.at(-1)).toMatchObject({
      msg: 'shutdown complete',
      reason: 'SIGTERM',
      clean: true,
      duration_ms: result.durationMs,
    });
  });

  it('runs once, however often it is asked', async () => {
    const { shutdown, log } = setUp();
    let ran = 0;
    shutdown.add('close', 'pool', () => (ran += 1));
    const [first, second] = await Promise.all([shutdown.run('SIGTERM'), shutdown.run('disconnect')]);
    expect(await shutdown.run('later')).toBe(first);
    expect(second).toBe(first);
    expect(ran).toBe(1);
    expect(log.lines.filter((line) => line.msg === 'shutting down')).toHaveLength(1);
  });

  it('goes on after a step that fails, and says that the end was not clean', async () => {
    const { shutdown, log } = setUp();
    const done: string[] = [];
    shutdown.add('stop-intake', 'http', () => {
      throw new Error('boom');
    });
    shutdown.add('drain', 'worker', async () => Promise.reject(new Error('bang')));
    shutdown.add('close', 'pool', () => done.push('pool'));
    expect(await shutdown.run('SIGTERM')).toMatchObject({ clean: false });
    expect(done).toEqual(['pool']);
    expect(log.lines.filter((line) => line.level === 'error').map((line) => line.step)).toEqual([
      'http',
      'worker',
    ]);
  });

  it('stays within the grace and keeps some of it for closing', async () => {
    const { shutdown, log } = setUp(500);
    const done: string[] = [];
    shutdown.add('drain', 'stuck', never);
    shutdown.add('close', 'pool', async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      done.push('pool');
    });
    shutdown.add('close', 'stuck too', never);
    const { clean, durationMs } = await shutdown.run('SIGTERM');
    expect(clean).toBe(false);
    expect(done).toEqual(['pool']);
    expect(durationMs).toBeGreaterThanOrEqual(450);
    expect(durationMs).toBeLessThan(2000);
    expect(log.lines.filter((line) => line.level === 'error')).toEqual([
      expect.objectContaining({ phase: 'drain', step: 'stuck' }),
      expect.objectContaining({ phase: 'close', step: 'stuck too' }),
    ]);
  });

  it('still starts every step when there is no grace', async () => {
    const { shutdown } = setUp(0);
    const done: string[] = [];
    shutdown.add('drain', 'stuck', never);
    shutdown.add('close', 'pool', () => done.push('pool'));
    await shutdown.run('SIGTERM');
    expect(done).toEqual(['pool']);
  });

  it('takes steps for later phases while it runs, and refuses those that come too late', async () => {
    const { shutdown } = setUp();
    const done: string[] = [];
    shutdown.add('stop-intake', 'http', () => {
      shutdown.add('close', 'late pool', () => done.push('late pool'));
      expect(() => shutdown.add('stop-intake', 'too late', () => undefined)).toThrow(/too late/);
    });
    expect(await shutdown.run('SIGTERM')).toMatchObject({ clean: true });
    expect(done).toEqual(['late pool']);
  });
});
