import { arePart, arePresent, type Packages } from '../../setup/packages.mjs';

const lock: Packages = {
  '': { version: '0.1.0' },
  'libs/one': { version: '0.1.0' },
  'node_modules/@aos/one': {},
  'node_modules/db': { version: '1.0.0', integrity: 'sha512-db' },
  'node_modules/db-mac': { version: '1.0.0', integrity: 'sha512-mac', optional: true },
  'node_modules/lint': { version: '2.0.0', integrity: 'sha512-lint', dev: true },
};
const { 'node_modules/lint': _, 'node_modules/db-mac': __, ...running } = lock;
const { 'node_modules/db-mac': ___, ...everything } = lock;

describe('packages', () => {
  it.each<[string, Packages, start: boolean, test: boolean]>([
    ['all of this platform', everything, true, true],
    ['those that run', running, true, false],
    ['none', {}, false, false],
    ['another version', { ...everything, 'node_modules/db': { version: '0.9.0' } }, false, false],
    [
      'another content of a version',
      { ...everything, 'node_modules/db': { version: '1.0.0', integrity: 'sha512-x' } },
      false,
      false,
    ],
    ['no link to a project', { ...everything, 'node_modules/@aos/one': undefined! }, false, false],
    [
      'one more, which nothing asks for',
      { ...everything, 'node_modules/x': { version: '1.0.0' } },
      true,
      true,
    ],
  ])('present: %s', (_name, present, start, test) => {
    expect([arePresent(lock, present, 'start'), arePresent(lock, present, 'test')]).toEqual([start, test]);
  });

  it.each<[string, Packages, boolean]>([
    ['those that run', running, true],
    ['none', {}, true],
    ['another version', { ...running, 'node_modules/db': { version: '0.9.0' } }, false],
    ['one that the lock file does not have', { ...running, 'node_modules/x': { version: '1.0.0' } }, false],
  ])('can be added to: %s', (_name, present, expected) => {
    expect(arePart(present, lock)).toBe(expected);
  });
});
