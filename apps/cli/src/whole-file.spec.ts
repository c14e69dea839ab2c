import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeWholeFile } from './whole-file.js';

const run = promisify(execFile);

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* brokenOff(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('terminated');
}

/** A content that does not come to its end. */
async function* endless(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half');
  await new Promise(() => undefined);
}

describe('a file that is written as a whole', () => {
  const { signal } = new AbortController();
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whole-file-'));
    file = join(folder, 'report.pdf');
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('has all its bytes, in place of one that was there and with its rights', async () => {
    await writeWholeFile(file, pieces('a', 'b'), signal);
    expect(await readFile(file, 'utf8')).toBe('ab');
    await chmod(file, 0o666);
    await writeWholeFile(file, pieces('c'), signal);
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual(['c', 0o666]);
    expect(await readdir(folder)).toEqual(['report.pdf']);
  });

  it('is not there where its content breaks off', async () => {
    await expect(writeWholeFile(file, brokenOff(), signal)).rejects.toThrow('terminated');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is the one that was there where somebody has enough of waiting', async () => {
    await writeFile(file, 'before');
    const stop = new AbortController();
    const written = writeWholeFile(file, endless(), stop.signal);
    stop.abort();
    await expect(written).rejects.toMatchObject({ name: 'AbortError' });
    expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual(['before', ['report.pdf']]);
  });

  it('stays behind the link that leads to it', async () => {
    const link = join(folder, 'latest.pdf');
    await writeFile(file, 'before');
    await symlink(file, link);
    await writeWholeFile(link, pieces('after'), signal);
    expect([await readFile(file, 'utf8'), await readFile(link, 'utf8')]).toEqual(['after', 'after']);
  });

  it('is no file where a pipe stands, which is given the bytes', async () => {
    const pipe = join(folder, 'pipe');
    await run('mkfifo', [pipe]);
    const [{ stdout }] = await Promise.all([
      run('cat', [pipe], { timeout: 5_000 }),
      writeWholeFile(pipe, pieces('a', 'b'), signal),
    ]);
    expect([stdout, (await stat(pipe)).isFIFO()]).toEqual(['ab', true]);
  });
});
