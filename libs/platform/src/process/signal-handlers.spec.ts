import { ChildBuild, type Child } from '../../test/child-process.js';

/** A service with one step in each phase; `drain` is the body of the middle one. */
const service = (drain: string, { graceMs = 60_000, before = '' } = {}): string => `
  import { createLogger } from './logging/logger.js';
  import { Shutdown } from './process/shutdown.js';
  import { installSignalHandlers } from './process/signal-handlers.js';
  const logger = createLogger({ service: 'child', level: 'info' });
  const shutdown = new Shutdown(logger, ${graceMs});
  const released = new Promise((resolve) => process.once('message', resolve));
  shutdown.add('stop-intake', 'http', () => logger.info('intake stopped'));
  shutdown.add('drain', 'worker', async () => { ${drain} });
  shutdown.add('close', 'pool', () => logger.info('closed'));
  ${before}
  installSignalHandlers(shutdown);
  setInterval(() => undefined, 1000);
  logger.info('up');
`;

describe('installSignalHandlers', () => {
  let build: ChildBuild;
  const messages = (child: Child): unknown[] => child.lines.map((line) => line.msg);

  beforeAll(async () => {
    build = await ChildBuild.make();
  });
  afterAll(() => build.remove());

  async function up(script: string): Promise<Child> {
    const child = await build.start(script);
    await child.line('up');
    return child;
  }

  it.each(['SIGTERM', 'SIGINT'] as const)('%s ends the phases in order with code 0', async (signal) => {
    const child = await up(service(`logger.info('drained')`));
    child.process.kill(signal);
    expect(await child.exit()).toBe(0);
    expect(messages(child)).toEqual([
      'up',
      'shutting down',
      'intake stopped',
      'drained',
      'closed',
      'shutdown complete',
    ]);
    expect(child.lines.at(-1)).toMatchObject({
      reason: signal,
      clean: true,
      duration_ms: expect.any(Number),
    });
    expect(child.stderr).toBe('');
  });

  it('exits at once with code 1 on a second signal', async () => {
    const child = await up(service('await new Promise(() => undefined)'));
    child.process.kill('SIGTERM');
    await child.line('intake stopped');
    child.process.kill('SIGTERM');
    expect(await child.exit()).toBe(1);
    expect(messages(child)).not.toContain('closed');
    expect(child.lines.at(-1)?.msg).toBe('second signal, exit without waiting');
  });

  it('takes Ctrl-C and the SIGTERM of the supervisor right after it for one wish', async () => {
    const child = await up(service('await released'));
    child.process.kill('SIGINT');
    await child.line('intake stopped');
    child.process.kill('SIGTERM');
    child.process.send('go on');
    expect(await child.exit()).toBe(0);
    expect(messages(child)).toContain('closed');
  });

  it('exits with code 1 when the work does not end within the grace', async () => {
    const child = await up(service('await new Promise(() => undefined)', { graceMs: 200 }));
    child.process.kill('SIGTERM');
    expect(await child.exit()).toBe(1);
    expect(messages(child)).toEqual(
      expect.arrayContaining(['shutdown step exceeded the grace period', 'closed']),
    );
  });

  it('ends when the supervisor goes away', async () => {
    const child = await up(service(''));
    child.process.disconnect();
    expect(await child.exit()).toBe(0);
    expect(child.lines.at(-1)).toMatchObject({ reason: 'disconnect', clean: true });
  });

  it('ends when the supervisor went away before it was ready', async () => {
    const child = await build.start(
      service('', {
        before: `logger.info('starting'); await new Promise((resolve) => process.once('disconnect', resolve));`,
      }),
    );
    await child.line('starting');
    child.process.disconnect();
    expect(await child.exit()).toBe(0);
    expect(child.lines.at(-1)).toMatchObject({ reason: 'disconnect' });
  });

  it('ends although nobody reads its log any more', async () => {
    const child = await up(service(`for (let i = 0; i < 1000; i += 1) logger.info({ i }, 'line')`));
    child.process.stdout?.destroy();
    child.process.kill('SIGTERM');
    expect(await child.exit()).toBe(0);
  });

  it.each([
    ['uncaught exception', `setImmediate(() => { throw new Error('boom'); })`],
    ['unhandled rejection', `setImmediate(() => Promise.reject(new Error('boom')))`],
    ['unhandled rejection', `setImmediate(() => Promise.reject('boom'))`],
  ])('%s: a fatal line, the shutdown, code 1', async (kind, fault) => {
    const child = await build.start(service('') + fault);
    expect(await child.exit()).toBe(1);
    expect(await child.line(kind)).toMatchObject({ level: 'fatal', err: { message: 'boom' } });
    expect(child.lines.at(-1)).toMatchObject({ msg: 'shutdown complete', reason: kind, clean: true });
    expect(child.stderr).toBe('');
  });

  it('a fault during the shutdown is logged and turns the code to 1', async () => {
    const child = await up(service(`setImmediate(() => { throw new Error('boom'); }); await released`));
    child.process.kill('SIGTERM');
    await child.line('uncaught exception');
    child.process.send('go on');
    expect(await child.exit()).toBe(1);
    expect(child.lines.at(-1)).toMatchObject({ msg: 'shutdown complete', clean: true });
  });
});
