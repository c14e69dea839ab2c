import fc from 'fast-check';
import { hostileUrls, honestUrls } from '../../test/hostile-urls.js';
import { parseAllowedRanges } from './address-rules.js';
import { checkUrl } from './url-rules.js';

const allowed = parseAllowedRanges('');
const everything = parseAllowedRanges('0.0.0.0/0,::/0');
const accepts = (text: string, ranges = allowed): boolean => checkUrl(text, { allowed: ranges }).ok;

describe('checkUrl', () => {
  it('has a corpus worth the name', () => {
    expect(new Set(Object.values(hostileUrls).flat()).size).toBeGreaterThanOrEqual(80);
  });

  describe.each(Object.entries(hostileUrls))('refuses %s', (_trick, urls) => {
    it.each(urls)('%j', (text) => {
      const verdict = checkUrl(text, { allowed });
      expect(verdict).toEqual({ ok: false, reason: expect.stringMatching(/^The [^\n]+\.$/) });
    });
  });

  it.each(honestUrls.map(([text, href = text]) => ({ text, href })))('accepts $text', ({ text, href }) => {
    const verdict = checkUrl(text, { allowed });
    expect(verdict.ok && verdict.url.href).toBe(href);
  });

  it('gives the reason that fits', () => {
    const reasonOf = (text: string): string => {
      const verdict = checkUrl(text, { allowed });
      return verdict.ok ? 'none' : verdict.reason;
    };
    expect(reasonOf('http://0x7f.1/')).toBe('The host of the URL is a private, local or reserved address.');
    expect(reasonOf('http://redis/')).toBe('The host of the URL is a local name.');
    expect(reasonOf('http://a..b/')).toBe('The host of the URL is not a name.');
    expect(reasonOf('http://u@example.com/')).toBe('The URL must not hold a user name or password.');
    expect(reasonOf('ftp://example.com/')).toBe('The URL must begin with http:// or https:// and a host.');
    expect(reasonOf('http://example.com:25/')).toBe('The port of the URL belongs to another protocol.');
    expect(reasonOf('http://a b/')).toBe('The URL has white space, control characters or backslashes in it.');
    expect(reasonOf('http://[x]/')).toBe('The URL is not valid.');
    expect(reasonOf(`http://a.b/${'a'.repeat(2048)}`)).toBe('The URL is longer than 2048 characters.');
  });

  it('opens the addresses of an allowed range, in every spelling, and no other', () => {
    const loopback = parseAllowedRanges('127.0.0.0/8, ::1/128');
    expect(accepts('http://127.0.0.1:3000/', loopback)).toBe(true);
    expect(accepts('http://0x7f.1:3000/', loopback)).toBe(true);
    expect(accepts('http://[::1]:3000/', loopback)).toBe(true);
    expect(accepts('http://10.0.0.1/', loopback)).toBe(false);
    expect(accepts('http://[fe80::1]/', loopback)).toBe(false);
  });

  it('opens no name, scheme, port or user info with an allowed range', () => {
    const groups = Object.entries(hostileUrls).filter(([trick]) => !/address|look-alike/.test(trick));
    expect(groups.length).toBeGreaterThan(5);
    expect(groups.flatMap(([, urls]) => urls).filter((text) => accepts(text, everything))).toEqual([]);
  });

  it('never throws, and what it accepts stays accepted in the spelling it gives', () => {
    const part = fc.constantFrom(
      'http',
      's',
      '://',
      '/',
      '.',
      ':',
      '@',
      '[',
      ']',
      '127',
      '0x7f',
      '１',
      '。',
      '%',
      '?',
      'a',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part).map((parts) => parts.join('')),
      fc.webUrl(),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        const verdict = checkUrl(candidate, { allowed });
        if (!verdict.ok) return;
        expect(['http:', 'https:']).toContain(verdict.url.protocol);
        expect(accepts(verdict.url.href)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
