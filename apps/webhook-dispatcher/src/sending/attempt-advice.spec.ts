import { adviceForFailure, adviceForStatus } from './attempt-advice.js';

describe('the advice after a failed attempt', () => {
  it.each([
    [302, 'Redirects are not followed'],
    [401, 'signature'],
    [403, 'signature'],
    [404, 'path'],
    [405, 'path'],
    [410, 'Enable it'],
    [413, 'larger bodies'],
    [422, 'answer of the receiver'],
    [429, 'Retry-After'],
    [500, 'logs of the receiver'],
    [503, 'logs of the receiver'],
  ])('for status %d is about: %s', (status, text) => expect(adviceForStatus(status)).toContain(text));

  it.each([
    ['forbidden', 'EGRESS_ALLOW_CIDRS'],
    ['timeout', 'Answer at once'],
    ['connect', 'host and the port'],
    ['reset', 'proxy'],
    ['protocol', 'HTTP server'],
  ] as const)('where there was no answer (%s) is about: %s', (kind, text) =>
    expect(adviceForFailure(kind)).toContain(text),
  );
});
