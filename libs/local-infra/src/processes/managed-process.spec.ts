import { execFileSync } from 'node:child_process';
import { eventually, isAlive } from '../../test/support.js';
import { type ManagedProcessOptions, startManagedProcess } from './managed-process.js';

const node = (code: string, more: Partial<ManagedProcessOptions> = {}) =>
  startManagedProcess({
    command: process.execPath,
    args: ['-e', code],
    stopSignal: 'SIGTERM',
    stopGraceMs: 5_000,
    orphanGraceSeconds: 1,
    ...more,
  });

const childrenOf = (pid: number) => {
  try {
    return execFileSync('ps', ['-o', 'args=', '--ppid', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
};

describe('startManagedProcess', () => {
  it('reports how it ended by itself, with its last words', async () => {
    let output = '';
    const child = node('console.error("goodbye"); process.exit(3)', {
      onOutput: (chunk) => (output += chunk),
    });
    expect(await child.exited).toEqual({ code: 3, signal: null, expected: false });
    expect(output).toBe('goodbye\n');
    expect(child.isRunning()).toBe(false);
  });

  it('ends on the stop signal and leaves no guard', async () => {
    let ready = false;
    const child = node(
      'process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1e3); process.send(1)',
      {
        ipc: true,
        onMessage: () => (ready = true),
      },
    );
    await eventually(() => ready);
    expect(childrenOf(process.pid)).toContain(` guard ${child.pid} TERM`);
    await child.stop();
    expect(await child.exited).toEqual({ code: 0, signal: null, expected: true });
    await eventually(() => !childrenOf(process.pid).includes(` guard ${child.pid} TERM`));
  });

  it('is killed when it does not end within the grace', async () => {
    let ready = false;
    const child = node('process.on("SIGTERM", () => {}); setInterval(() => {}, 1e3); process.send(1)', {
      ipc: true,
      stopGraceMs: 100,
      onMessage: () => (ready = true),
    });
    await eventually(() => ready);
    await child.stop();
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL', expected: true });
    expect(isAlive(child.pid!)).toBe(false);
  });

  it('tells why a program could not be started', async () => {
    const child = startManagedProcess({
      command: '/no/such/program',
      args: [],
      stopSignal: 'SIGTERM',
      stopGraceMs: 100,
      orphanGraceSeconds: 1,
    });
    expect((await child.exited).error?.message).toContain('ENOENT');
    await child.stop();
  });
});
