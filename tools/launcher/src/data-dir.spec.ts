import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test/support.js';
import { ensureSecrets } from './credentials.js';
import { claimDataDir } from './data-dir.js';

describe('the data folder', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  it('is claimed again by the version that made it', () => {
    const dataDir = join(folder.path, 'today');
    claimDataDir(dataDir).release();
    ensureSecrets(dataDir);
    expect(readFileSync(join(dataDir, 'tables-version'), 'utf8')).toBe('1\n');
    claimDataDir(dataDir).release();
  });

  it('of a version before 1.0 is refused in one line, with the command that keeps it, and stays as it is', () => {
    const dataDir = join(folder.path, 'former');
    claimDataDir(dataDir).release();
    ensureSecrets(dataDir);
    rmSync(join(dataDir, 'tables-version'));
    const refusal = `${dataDir} has data of a version before 1.0, which this version cannot read. Keep it with: mv ${dataDir} ${dataDir}-before-1.0`;
    for (let attempt = 0; attempt < 2; attempt += 1) expect(() => claimDataDir(dataDir)).toThrow(refusal);
  });
});
