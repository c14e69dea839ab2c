import { foldersOf } from './sandbox-paths.js';

describe('foldersOf', () => {
  it.each([
    ['/workspace/a.txt', []],
    ['/workspace/a/b.txt', ['/workspace/a']],
    ['/workspace/a/b/c.txt', ['/workspace/a', '/workspace/a/b']],
  ])('%s', (path, folders) => {
    expect(foldersOf(path)).toEqual(folders);
  });
});
