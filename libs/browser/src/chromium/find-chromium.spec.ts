import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './find-chromium.js';

describe('findChromium', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aos-browser-test-'));
    await Promise.all(['a', 'b'].map((name) => mkdir(join(folder, name))));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function program(name: string, mode = 0o755): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, '#!/bin/sh\n');
    await chmod(file, mode);
    return file;
  }
  const path = (): string => `${folder}/a:${folder}/b`;

  it('takes what is configured', async () => {
    await program('a/chromium');
    const configured = await program('mine');
    expect(await findChromium({ configured, path: path() })).toBe(configured);
  });

  it('looks on the path when what is configured cannot be executed', async () => {
    const found = await program('b/chromium');
    const plain = await program('mine', 0o644);
    for (const configured of [plain, join(folder, 'nothing'), join(folder, 'a'), '']) {
      expect(await findChromium({ configured, path: path() })).toBe(found);
    }
  });

  it.each(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])(
    'knows %s',
    async (name) => {
      const found = await program(`b/${name}`);
      expect(await findChromium({ path: path() })).toBe(found);
    },
  );

  it('takes Chromium before Chrome, and the first folder before the second', async () => {
    await program('a/google-chrome');
    await program('b/chromium');
    const found = await program('a/chromium');
    expect(await findChromium({ path: path() })).toBe(found);
  });

  it('finds nothing where there is none', async () => {
    await mkdir(join(folder, 'a/chromium'));
    await program('b/chromium', 0o644);
    expect(await findChromium({ path: path() })).toBeUndefined();
    expect(await findChromium({ path: '' })).toBeUndefined();
  });
});
