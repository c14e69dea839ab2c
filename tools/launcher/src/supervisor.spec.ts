import { type ManagedProcess, startManagedProcess } from '@aos/local-infra';
import { eventually } from '../test/support.js';
import { Supervisor, type Unit } from './supervisor.js';

const timeoutMs = 30_000;

/** Runs a few lines of Node, and says when they have sent a message. */
class ScriptUnit implements Unit {
  started: ManagedProcess[] = [];
  ready = 0;

  constructor(
    readonly name: string,
    readonly code: string,
    readonly stopGraceMs = 5_000,
  ) {}

  async start(): Promise<ManagedProcess> {
    const child = startManagedProcess({
      command: process.execPath,
      args: ['-e', `${this.code}; setInterval(() => {}, 1000); process.send('ready')`],
      ipc: true,
      onMessage: () => this.ready++,
      stopSignal: 'SIGTERM',
      stopGraceMs: this.stopGraceMs,
      orphanGraceSeconds: 1,
    });
    this.started.push(child);
    return child;
  }
}

describe('Supervisor', () => {
  const said: string[] = [];
  let changes = 0;
  const refused: string[] = [];
  let supervisor: Supervisor;
  beforeEach(() => {
    said.length = 0;
    refused.length = 0;
    changes = 0;
    supervisor = new Supervisor({
      say: (line) => said.push(line),
      onChange: () => changes++,
      onBadConfig: (name) => refused.push(name),
    });
  });

  it(
    'starts a killed process again at once, and a failing one ever more slowly',
    async () => {
      const unit = new ScriptUnit('steady', '');
      const failing = new ScriptUnit('failing', 'process.exit(3)');
      await Promise.all([supervisor.start(unit), supervisor.start(failing)]);
      await eventually(() => unit.ready === 1);
      const first = supervisor.pidOf('steady');
      process.kill(first!, 'SIGKILL');
      await eventually(() => unit.ready === 2 && supervisor.pidOf('steady') !== undefined);
      expect(supervisor.pidOf('steady')).not.toBe(first);
      await eventually(() => failing.started.length === 3);
      await supervisor.stop(['steady', 'failing']);

      expect(said.filter((line) => line.startsWith('steady'))).toEqual([
        'steady ended (by SIGKILL); starting it again now',
      ]);
      expect(said.filter((line) => line.startsWith('failing')).slice(0, 2)).toEqual([
        'failing ended (with code 3); starting it again now',
        'failing ended (with code 3); starting it again in 0.5 s',
      ]);
      expect(changes).toBeGreaterThanOrEqual(8);
      expect(supervisor.pidOf('steady')).toBeUndefined();
    },
    timeoutMs,
  );

  it(
    'does not start again what ended because of its settings, and tells of it',
    async () => {
      const unit = new ScriptUnit('misled', 'process.exit(78)');
      const other = new ScriptUnit('steady', '');
      await Promise.all([supervisor.start(unit), supervisor.start(other)]);
      await eventually(() => refused.length > 0 && other.ready === 1);
      await supervisor.stop(['misled', 'steady']);
      expect(refused).toEqual(['misled']);
      expect(unit.started).toHaveLength(1);
      expect(said).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'kills what does not end within its grace',
    async () => {
      const unit = new ScriptUnit('stubborn', 'process.on("SIGTERM", () => {})', 100);
      await supervisor.start(unit);
      await eventually(() => unit.ready === 1);
      await supervisor.stop(['stubborn']);
      expect(await unit.started[0]?.exited).toMatchObject({ signal: 'SIGKILL', expected: true });
      expect(unit.started).toHaveLength(1);
    },
    timeoutMs,
  );

  it('tells the caller when the first start fails, and tries again when a later one does', async () => {
    let attempts = 0;
    const inner = new ScriptUnit('store', '');
    const unit: Unit = {
      name: 'store',
      start: () => {
        attempts++;
        return attempts === 2 ? Promise.reject(new Error('the port is busy')) : inner.start();
      },
    };
    await expect(
      supervisor.start({ name: 'never', start: () => Promise.reject(new Error('no disk')) }),
    ).rejects.toThrow('no disk');
    await supervisor.start(unit);
    await eventually(() => inner.ready === 1);
    inner.started[0]?.kill();
    await eventually(() => inner.ready === 2);
    expect(said).toEqual([
      'store ended (by SIGKILL); starting it again now',
      'store ended (the port is busy); starting it again in 0.5 s',
    ]);
    await supervisor.stop(['store', 'never']);
  });

  it('stops what is just starting, and starts nothing after that', async () => {
    const inner = new ScriptUnit('slow', '');
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const starting = supervisor.start({ name: 'slow', start: () => gate.then(() => inner.start()) });
    const stopped = supervisor.stop(['slow']);
    release();
    await Promise.all([starting, stopped]);
    expect(inner.started.map((child) => child.isRunning())).toEqual([false]);
    await expect(supervisor.start(new ScriptUnit('late', ''))).rejects.toThrow('stopping');
  });
});
