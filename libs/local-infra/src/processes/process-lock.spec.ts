import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/support.js';
import { processIdentity } from './process-identity.js';
import { acquireProcessLock } from './process-lock.js';

describe('acquireProcessLock', () => {
  const folder = temporaryFolder();
  const path = join(folder.path, 'lock');
  afterAll(() => folder.remove());

  it('keeps a second taker out until it is released', () => {
    const lock = acquireProcessLock(path, '/data');
    expect(() => acquireProcessLock(path, '/data')).toThrow(
      `/data is in use by another process (pid ${process.pid}); stop it first`,
    );
    lock.release();
    acquireProcessLock(path, '/data').release();
    expect(existsSync(path)).toBe(false);
  });

  it('respects a living process of its own and takes over when it is dead', async () => {
    const other = spawn('sleep', ['60'], { stdio: 'ignore' });
    writeFileSync(path, JSON.stringify({ pid: other.pid, started: processIdentity(other.pid!) }));
    expect(() => acquireProcessLock(path, '/data')).toThrow(`pid ${other.pid}`);
    const gone = new Promise((resolve) => other.once('exit', resolve));
    other.kill('SIGKILL');
    await gone;
    acquireProcessLock(path, '/data').release();
  });

  it.each([
    [
      'a number that now belongs to another process',
      JSON.stringify({ pid: process.pid, started: 'long ago' }),
    ],
    ['a half-written file', '{"pid": 1'],
  ])('takes over a lock with %s', (_, content) => {
    writeFileSync(path, content);
    acquireProcessLock(path, '/data').release();
  });

  it('says in one line that the folder cannot be written', () => {
    expect(() => acquireProcessLock(join(path, 'missing', 'lock'), '/data')).toThrow();
    writeFileSync(join(folder.path, 'file'), '');
    expect(() => acquireProcessLock(join(folder.path, 'file', 'lock'), '/data')).toThrow(
      /cannot use .*: a part of the path is not a folder/,
    );
  });
});
