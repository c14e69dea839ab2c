import { FileNotFound, FileStoreUnavailable } from '@aos/file-store';
import { storeFailure } from './store-failures.js';

describe('storeFailure', () => {
  it.each([
    [new FileNotFound('a/b'), 'not_found'],
    [new FileStoreUnavailable('The disk is full.'), 'unavailable'],
  ])('%s is told as %s', (error, code) => {
    expect(storeFailure(error)).toMatchObject({ code });
  });

  it('is not asked about anything else', () => {
    const fault = new Error('a fault');
    expect(storeFailure(fault)).toBe(fault);
  });
});
