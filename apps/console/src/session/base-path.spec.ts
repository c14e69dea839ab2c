import { basePathOf } from './base-path';

describe('the path below which the service lies', () => {
  it.each([
    ['https://agents.example.com/console/assets/index-abc.js', ''],
    ['https://example.com/aos/console/assets/index-abc.js', '/aos'],
    ['https://example.com/console/console/assets/index-abc.js', '/console'],
    ['http://127.0.0.1:5173/console/session/base-path.ts', ''],
    ['file:///home/me/apps/console/src/session/base-path.ts', ''],
  ])('of a script at %s is %j', (address, path) => {
    expect(basePathOf(address)).toBe(path);
  });
});
