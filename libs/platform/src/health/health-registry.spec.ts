import { recordingLogger } from '../../test/log-lines.js';
import { HealthRegistry } from './health-registry.js';

const away = (): never => {
  throw new Error('connect ECONNREFUSED 10.1.2.3:5432');
};

function setUp(options = {}) {
  const log = recordingLogger();
  return { log, health: new HealthRegistry(log.logger, { cacheMs: 0, ...options }) };
}

describe('HealthRegistry', () => {
  it('is live always and ready without checks', async () => {
    const { health } = setUp();
    expect(health.live()).toEqual({ ok: true });
    expect(await health.ready()).toEqual({ ok: true, checks: {} });
  });

  it('is starting until a check has passed once, failing after that', async () => {
    const { health } = setUp();
    let check: () => unknown = away;
    health.add('database', async () => check());
    health.add('redis', () => undefined);
    expect(await health.ready()).toEqual({ ok: false, checks: { database: 'starting', redis: 'ok' } });
    check = () => undefined;
    expect(await health.ready()).toEqual({ ok: true, checks: { database: 'ok', redis: 'ok' } });
    check = away;
    expect(await health.ready()).toEqual({ ok: false, checks: { database: 'failing', redis: 'ok' } });
  });

  it('logs the cause once for each change and keeps it out of the answer', async () => {
    const { health, log } = setUp();
    let check: () => unknown = away;
    health.add('database', () => check());
    const answers = [await health.ready(), await health.ready(), await health.ready()];
    check = () => undefined;
    answers.push(await health.ready(), await health.ready());
    check = away;
    answers.push(await health.ready(), await health.ready());
    expect(log.lines.map((line) => line.msg)).toEqual([
      'health check fails',
      'health check passes again',
      'health check fails',
    ]);
    expect(log.lines[0]).toMatchObject({
      check: 'database',
      err: { message: 'connect ECONNREFUSED 10.1.2.3:5432' },
    });
    expect(JSON.stringify(answers)).not.toContain('10.1.2.3');
  });

  it('gives up on a check that hangs, and does not start it beside itself', async () => {
    const { health, log } = setUp({ timeoutMs: 20 });
    let started = 0;
    let answer: () => void = () => undefined;
    health.add('database', () => {
      started += 1;
      return new Promise<void>((resolve) => (answer = resolve));
    });
    expect(await health.ready()).toMatchObject({ ok: false });
    expect(await health.ready()).toMatchObject({ ok: false });
    expect(started).toBe(1);
    expect(log.lines[0]).toMatchObject({ err: { message: 'no answer within 20 ms' } });
    const next = health.ready();
    answer();
    expect(await next).toMatchObject({ ok: true });
  });

  it('runs its checks side by side', async () => {
    const { health } = setUp();
    let running = 0;
    let most = 0;
    for (const name of ['a', 'b', 'c']) {
      health.add(name, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      });
    }
    await health.ready();
    expect(most).toBe(3);
  });

  it('asks the stores once for many probes', async () => {
    const { health } = setUp({ cacheMs: 500 });
    let asked = 0;
    health.add('database', async () => (asked += 1));
    await Promise.all(Array.from({ length: 50 }, () => health.ready()));
    for (let probe = 0; probe < 50; probe += 1) await health.ready();
    expect(asked).toBe(1);
  });

  it('asks again when the answer is old', async () => {
    const { health } = setUp({ cacheMs: 10 });
    let asked = 0;
    health.add('database', async () => (asked += 1));
    const deadline = Date.now() + 2000;
    while (asked < 2 && Date.now() < deadline) {
      await health.ready();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(asked).toBe(2);
  });

  it('is not ready from the moment it drains, without asking the stores', async () => {
    const { health } = setUp({ timeoutMs: 60_000, cacheMs: 500 });
    let check: () => unknown = () => undefined;
    health.add('database', () => check());
    expect(await health.ready()).toMatchObject({ ok: true });
    check = () => new Promise(() => undefined);
    health.setDraining();
    expect(await health.ready()).toEqual({ ok: false, checks: { database: 'ok' } });
  });

  it('is held back without a word, and ready at the moment it is released', async () => {
    const { health, log } = setUp({ cacheMs: 60_000 });
    health.add('database', () => undefined);
    const release = health.hold('setup');
    expect(await health.ready()).toEqual({ ok: false, checks: { setup: 'starting', database: 'ok' } });
    release();
    expect(await health.ready()).toEqual({ ok: true, checks: { setup: 'ok', database: 'ok' } });
    expect(log.lines).toEqual([]);
  });

  it('refuses a name twice', () => {
    const { health } = setUp();
    health.add('database', () => undefined);
    expect(() => health.add('database', () => undefined)).toThrow(/database/);
  });
});
