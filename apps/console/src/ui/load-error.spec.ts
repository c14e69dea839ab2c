import { isLoadError } from './load-error';

describe('whether a part of the console could not be loaded', () => {
  it.each([
    'Failed to fetch dynamically imported module: https://here.test/console/assets/usage-page-abc.js',
    'error loading dynamically imported module: https://here.test/console/assets/usage-page-abc.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /console/assets/runs-page-abc.css',
  ])('is so where the browser says: %s', (message) => {
    expect(isLoadError(new TypeError(message))).toBe(true);
  });

  it.each([
    new TypeError('Failed to fetch'),
    new Error('x is undefined'),
    'Importing a module script failed',
  ])('is not so for %s', (error) => {
    expect(isLoadError(error)).toBe(false);
  });
});
