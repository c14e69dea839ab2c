import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAbandoned } from './abandoned-folders.js';
import { folderPrefix } from './launch.js';

const hourMs = 3600_000;

describe('folders that killed services have left', () => {
  let temporary: string;

  beforeEach(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'aos-abandoned-'));
    for (const name of [`${folderPrefix}one`, `${folderPrefix}two`, 'of-somebody-else']) {
      await mkdir(join(temporary, name, 'profile'), { recursive: true });
    }
  });

  afterEach(async () => {
    await rm(temporary, { recursive: true });
  });

  it('are removed when they are old and nobody uses them', async () => {
    expect(await removeAbandoned(temporary)).toBe(0);
    expect(await removeAbandoned(temporary, Date.now() + hourMs)).toBe(2);
    expect(await readdir(temporary)).toEqual(['of-somebody-else']);
    expect(await removeAbandoned(join(temporary, 'nothing'))).toBe(0);
  });

  it('stay as long as a process was given one', async () => {
    const main = join(temporary, 'of-somebody-else', 'main.cjs');
    await writeFile(main, 'setInterval(() => {}, 1000); process.send("up");');
    const child = fork(main, [`--user-data-dir=${temporary}/${folderPrefix}one/profile`], { execArgv: [] });
    await once(child, 'message');
    expect(await removeAbandoned(temporary, Date.now() + hourMs)).toBe(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await removeAbandoned(temporary, Date.now() + hourMs)).toBe(1);
  });
});
