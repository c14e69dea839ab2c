import { identitiesFor } from './identity.js';

describe('who a browser is', () => {
  it.each([
    ['linux', true, true, ['other-user', 'user-namespace']],
    ['linux', false, true, ['user-namespace']],
    ['darwin', false, true, ['same-user']],
    ['linux', true, false, ['other-user', 'user-namespace', 'same-user']],
    ['linux', false, false, ['user-namespace', 'same-user']],
    ['darwin', false, false, ['same-user']],
  ] as const)('on %s, root: %s, sandbox: %s', (platform, isRoot, sandbox, expected) => {
    expect(identitiesFor({ platform, isRoot }, sandbox)).toEqual(expected);
  });
});
