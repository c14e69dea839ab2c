import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { OnlyChild } from './only-child.js';

describe('the only child of a process', () => {
  it('is there until it has ended', async () => {
    const only = new OnlyChild();
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    only.hold(child);
    expect(only.isThere).toBe(true);
    await only.stop();
    expect([only.isThere, child.signalCode]).toEqual([false, 'SIGTERM']);
    await only.stop();
  });

  it('is not there if it could not be started', async () => {
    const only = new OnlyChild();
    const child = spawn('/nowhere/a-program');
    only.hold(child);
    const closed = new Promise((resolve) => child.once('close', resolve));
    const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
    await closed;
    expect([error.code, only.isThere]).toEqual(['ENOENT', false]);
  });
});
