import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/support.js';
import { takesUnixSocket } from './unix-socket.js';

describe('takesUnixSocket', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  it('frees the path from what a killed server left, and leaves nothing itself', async () => {
    const path = join(folder.path, '1.sock');
    writeFileSync(path, '');
    expect(await takesUnixSocket(path)).toBe(true);
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('refuses a path that is too long for a system, and a place where none can be made', async () => {
    const lengthOf = (bytes: number) => join(folder.path, 'x'.repeat(bytes - folder.path.length - 1));
    expect(await takesUnixSocket(lengthOf(103))).toBe(true);
    expect(await takesUnixSocket(lengthOf(104))).toBe(false);
    expect(await takesUnixSocket(join(folder.path, 'missing', '1.sock'))).toBe(false);
  });
});
