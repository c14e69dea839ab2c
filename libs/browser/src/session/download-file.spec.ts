import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { NotADownload, readDownload, sizeOfDownload } from './download-file.js';

describe('the file of a download', () => {
  const ownerId = process.getuid!();
  let root: string;
  let folder: string;
  let secret: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'download-file-'));
    folder = join(root, 'downloads');
    mkdirSync(folder);
    secret = join(root, 'secret');
    writeFileSync(secret, 'SECRETS_KEYS');
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const file = (name: string) => ({ folder, name, ownerId });
  const refused = async (name: string, owner = ownerId) => {
    const error: unknown = await readDownload({ ...file(name), ownerId: owner }).catch(
      (reason: unknown) => reason,
    );
    expect(
      await sizeOfDownload({ ...file(name), ownerId: owner }).catch((reason: unknown) => reason),
    ).toEqual(error);
    return error;
  };

  it.each(['', 'what was downloaded'])('is read as it is: %j', async (content) => {
    writeFileSync(join(folder, 'one'), content);
    expect(await sizeOfDownload(file('one'))).toBe(content.length);
    expect(await text(await readDownload(file('one')))).toBe(content);
  });

  it('is not read through a link', async () => {
    symlinkSync(secret, join(folder, 'link'));
    expect(await refused('link')).toMatchObject({ code: 'ELOOP' });
    linkSync(secret, join(folder, 'hard'));
    expect(await refused('hard')).toBeInstanceOf(NotADownload);
  });

  it('is not read through a link in the place of its folder', async () => {
    mkdirSync(join(root, 'elsewhere'));
    renameSync(secret, join(root, 'elsewhere', 'one'));
    rmSync(folder, { recursive: true });
    symlinkSync(join(root, 'elsewhere'), folder);
    expect(await refused('one')).toBeInstanceOf(NotADownload);
  });

  it('is no pipe, no folder, and no file of another user', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'one'), 'x');
    expect(await refused('pipe')).toBeInstanceOf(NotADownload);
    expect(await refused('folder')).toBeInstanceOf(NotADownload);
    expect(await refused('one', ownerId + 1)).toBeInstanceOf(NotADownload);
  });

  it('is looked for in its folder only', async () => {
    expect(await refused('../secret')).toMatchObject({ code: 'ENOENT' });
  });

  it('has no more bytes than when it was opened', async () => {
    writeFileSync(join(folder, 'one'), 'first');
    const stream = await readDownload(file('one'));
    writeFileSync(join(folder, 'one'), 'first and more');
    expect(await text(stream)).toBe('first');
  });
});
