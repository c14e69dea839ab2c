import fc from 'fast-check';
import { scrub } from './scrub.js';

const random43 = 'Ab1_-Zz90'.repeat(5).slice(0, 43);
const jwt = `eyJhbGciOiJFUzI1NiJ9.${'eyJzdWIiOiIx'.repeat(3)}.${random43}`;

/** As the text stands in a log line. */
const inLine = (text: string): string => scrub(JSON.stringify({ msg: text }));

describe('scrub', () => {
  it.each([
    [`key aos_${random43}.`, 'key aos_[redacted].'],
    [`key=aos_${random43}&x=1`, 'key=aos_[redacted]&x=1'],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw=', 'whsec_[redacted]'],
    ['Authorization: Bearer abc.def-123', 'Authorization: Bearer [redacted]'],
    ['authorization: bearer abcdef123', 'authorization: Bearer [redacted]'],
    ['Basic dXNlcjpwYXNzd29yZA==', 'Basic [redacted]'],
    [`got ${jwt} back`, 'got [redacted] back'],
    ['postgres://aos:pa55@db:5432/x', 'postgres://aos:[redacted]@db:5432/x'],
    ['postgres://aos:p@ss:w?rd@db/x', 'postgres://aos:[redacted]@db/x'],
    ['postgres://aos:p"a\\ss@db/x', 'postgres://aos:[redacted]@db/x'],
    ['redis://:pa55@redis:6379', 'redis://:[redacted]@redis:6379'],
    ['two a://u:p@h and b://u:q@h', 'two a://u:[redacted]@h and b://u:[redacted]@h'],
    [
      'grant_type=x&client_secret=s3cr3t&refresh_token=abc&scope=a',
      'grant_type=x&client_secret=[redacted]&refresh_token=[redacted]&scope=a',
    ],
    ['https://h/upload?token=abc def', 'https://h/upload?token=[redacted] def'],
    ['{"client_secret": "s3cr3t","a":1}', '{"client_secret": "[redacted]","a":1}'],
    [
      JSON.stringify(JSON.stringify({ access_token: 'abc' })),
      JSON.stringify('{"access_token":"[redacted]"}'),
    ],
  ])('%s', (text, expected) => {
    expect(inLine(text)).toBe(JSON.stringify({ msg: expected }));
    expect(inLine(expected)).toBe(JSON.stringify({ msg: expected }));
  });

  it.each([
    'a run took 12 s',
    'http://127.0.0.1:8080/v2/runs?limit=5',
    'see http://a:80/x and mail me@example.com',
    'aos_http_requests',
    'token_type=Bearer',
    'Basic checks passed',
    'a\nb "c" \\ d',
  ])('leaves alone: %s', (text) => {
    expect(inLine(text)).toBe(JSON.stringify({ msg: text }));
  });

  it('never breaks the JSON around it', () => {
    const pieces = fc.constantFrom(
      '://',
      'u:',
      '@',
      '"',
      '\\',
      '\n',
      'token=',
      'Bearer ',
      `aos_${random43}`,
      '[',
      ' ',
      'é',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (parts) => {
        const text = parts.join('');
        const line = JSON.parse(scrub(JSON.stringify({ before: 1, msg: text, after: 2 }))) as object;
        expect(Object.keys(line)).toEqual(['before', 'msg', 'after']);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['://a:', '-eyJaaaaaaaa', 'eyJaaaaaaaa.', '\\', '\\"token', 'Bearer ', 'access_', '@', ' '])(
    'takes hostile repetition of %p in its stride',
    (piece) => {
      const text = piece.repeat(200_000 / piece.length);
      const startedAt = performance.now();
      scrub(text);
      // Linear ones take about 5 ms, a quadratic one minutes.
      expect(performance.now() - startedAt).toBeLessThan(1000);
    },
  );
});
