import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SingleChildProcess } from './isolated-runs.js';

describe('the only child of a process', () => {
  it('is there until it has ended', async () => {
    const only = new SingleChildProcess(60_000);
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    only.hold(child);
    expect(only.isThere).toBe(true);
    await only.stop();
    expect([only.isThere, child.signalCode]).toEqual([false, 'SIGTERM']);
    await only.stop();
  });

  it('reports that the isolated worker could not be spawned', async () => {
    const only = new SingleChildProcess(60_000);
    const child = spawn('/nowhere/a-program');
    only.hold(child);
    const closed = new Promise((resolve) => child.once('close', resolve));
    const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
    await closed;
    expect([error.code, only.isThere]).toEqual(['ENOENT', false]);
  });

  it('is killed when it hangs, and not as long as it gives a sign of life', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'only-child-'));
    const program = join(folder, 'child.mjs');
    writeFileSync(
      program,
      `let signs = 0;
       setInterval(() => {
         signs += 1;
         process.send('alive');
         if (signs === 20) for (;;);
       }, 50);`,
    );
    const only = new SingleChildProcess(3_000);
    const child = fork(program);
    let signs = 0;
    child.on('message', () => (signs += 1));
    only.hold(child);
    await once(child, 'exit');
    expect([signs, child.signalCode, only.isThere]).toEqual([20, 'SIGKILL', false]);
    rmSync(folder, { recursive: true });
  });
});
