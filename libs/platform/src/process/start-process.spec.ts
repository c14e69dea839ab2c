import { ChildBuild } from '../../test/child-process.js';

const main = (start: string): string => `
  import { z } from 'zod';
  import { loadConfig } from './config/load-config.js';
  import { createLogger } from './logging/logger.js';
  import { Shutdown } from './process/shutdown.js';
  import { startProcess } from './process/start-process.js';
  const logger = createLogger({ service: 'runs', level: 'info' });
  const shutdown = new Shutdown(logger, 5000);
  await startProcess({ name: 'runs', start: async () => { ${start} } });
`;

describe('startProcess', () => {
  let build: ChildBuild;

  beforeAll(async () => {
    build = await ChildBuild.make();
  });
  afterAll(() => build.remove());

  it('tells the supervisor that it is ready, and closes at the end', async () => {
    const child = await build.start(
      main(`setInterval(() => undefined, 1000); return { shutdown, close: () => logger.info('closed') };`),
    );
    expect(await child.message()).toEqual({ type: 'ready' });
    child.process.kill('SIGTERM');
    expect(await child.exit()).toBe(0);
    expect(child.lines.map((line) => line.msg)).toEqual(['shutting down', 'closed', 'shutdown complete']);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends at %s while it is still starting', async (signal) => {
    const child = await build.start(
      main(`logger.info('starting'); await new Promise(() => setInterval(() => undefined, 1000));`),
    );
    await child.line('starting');
    child.process.kill(signal);
    expect(await child.exit()).toBe(0);
    expect(child.messages).toEqual([]);
  });

  it('ends with its supervisor while it is still starting', async () => {
    const child = await build.start(
      main(`logger.info('starting'); await new Promise(() => setInterval(() => undefined, 1000));`),
    );
    await child.line('starting');
    child.process.disconnect();
    expect(await child.exit()).toBe(0);
  });

  it('prints a bad configuration without stack or value and exits with 78', async () => {
    const child = await build.start(
      main(`
        const schema = z.object({ PORT: z.string().regex(/^1$/, 'must be 1'), KEY: z.string() });
        loadConfig(schema, { PORT: 'hunter2hunter2' }, 'runs');
      `),
    );
    expect(await child.exit()).toBe(78);
    expect(child.stderr).toBe(
      'runs cannot start, its configuration is wrong:\n  PORT: must be 1\n  KEY: is required\n',
    );
    expect(child.stdout).toBe('');
    expect(child.messages).toEqual([]);
  });

  it.each([
    ['a start that fails', `throw new Error('cannot connect to postgres://aos:hunter2@db/x');`],
    [
      'an error beside the start',
      `setImmediate(() => { throw new Error('cannot connect'); }); await new Promise(() => setInterval(() => undefined, 1000));`,
    ],
    [
      'a rejection beside the start',
      `void Promise.reject(new Error('cannot connect')); await new Promise(() => setInterval(() => undefined, 1000));`,
    ],
  ])('logs one fatal line for %s and exits with 1', async (_, start) => {
    const child = await build.start(main(start));
    expect(await child.exit()).toBe(1);
    expect(child.lines).toEqual([
      expect.objectContaining({ level: 'fatal', service: 'runs', msg: 'starting the service failed' }),
    ]);
    expect(child.lines[0]).toMatchObject({ err: { message: expect.stringContaining('cannot connect') } });
    expect(child.stdout).not.toContain('hunter2');
    expect(child.stderr).toBe('');
    expect(child.messages).toEqual([]);
  });
});

describe('log lines at exit', () => {
  let build: ChildBuild;

  beforeAll(async () => {
    build = await ChildBuild.make();
  });
  afterAll(() => build.remove());

  it.each([
    ['process.exit', 'process.exit(3);', 3],
    ['the natural end', 'process.disconnect();', 0],
  ])('all arrive, in order, after %s', async (_, end, code) => {
    const child = await build.start(`
      import { createLogger } from './logging/logger.js';
      const first = createLogger({ service: 'a', level: 'info' });
      const second = createLogger({ service: 'b', level: 'info' });
      for (let i = 0; i < 5000; i += 1) (i % 2 ? first : second).info({ i, pad: 'é'.repeat(200) }, 'line');
      ${end}
    `);
    expect(await child.exit()).toBe(code);
    expect(child.lines.map((line) => line.i)).toEqual(Array.from({ length: 5000 }, (__, index) => index));
  });

  it('flush waits for them', async () => {
    const child = await build.start(`
      import { createLogger } from './logging/logger.js';
      const logger = createLogger({ service: 'a', level: 'info' });
      for (let i = 0; i < 2000; i += 1) logger.info({ i, pad: 'x'.repeat(500) }, 'line');
      await logger.flush();
      process.kill(process.pid, 'SIGKILL');
    `);
    expect(await child.exit()).toBe('SIGKILL');
    expect(child.lines).toHaveLength(2000);
  });
});
