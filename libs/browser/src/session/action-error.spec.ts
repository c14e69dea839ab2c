import { BrowserActionError, toActionError } from './action-error.js';

const timeout = (message: string): Error => Object.assign(new Error(message), { name: 'TimeoutError' });

describe('toActionError', () => {
  it.each([
    ['ERR_CERT_AUTHORITY_INVALID', 'The page did not load: the certificate of the server is not trusted.'],
    ['ERR_TOO_MANY_REDIRECTS', 'The page did not load: the page redirects without end.'],
    ['ERR_HTTP2_PROTOCOL_ERROR', 'The page did not load: ERR_HTTP2_PROTOCOL_ERROR.'],
    ['ERR_SSL_PROTOCOL_ERROR', 'The page did not load: ERR_SSL_PROTOCOL_ERROR.'],
  ])('says what %s means', (code, message) => {
    const error = toActionError(new Error(`page.goto: net::${code} at https://a.example.com/\nCall log:\n`));
    expect(error).toMatchObject({ kind: 'navigation', message });
  });

  it('names what is in the way of an element, without colours', () => {
    const log = [
      'locator.click: Timeout 15000ms exceeded.',
      'Call log:',
      '\u001b[2m  - waiting for locator("#a")\u001b[22m',
      '\u001b[2m    - element is not visible\u001b[22m',
      '\u001b[2m    - element is not enabled\u001b[22m',
    ];
    expect(toActionError(timeout(log.join('\n')), '#a')).toMatchObject({
      kind: 'timeout',
      message: 'The element "#a" was not ready in time: element is not enabled.',
    });
  });

  it.each([
    ['page.goto: Timeout 30000ms exceeded.', 'timeout', 'The page did not load in time.'],
    ['page.goto: Page crashed', 'crashed', 'The page crashed and was closed.'],
  ] as const)('takes %j for %s', (text, kind, message) => {
    expect(toActionError(timeout(text))).toMatchObject({ kind, message });
  });

  it('says that a selector is not valid', () => {
    const error = new Error(
      'locator.click: Unexpected token "[" while parsing css selector "[[". Did you mean…',
    );
    expect(toActionError(error, '[[')).toMatchObject({
      kind: 'invalid',
      message: 'The selector "[[" is not valid.',
    });
  });

  it('keeps the first line of what it does not know, and its cause', () => {
    const cause = new Error('locator.fill: Error: Element is not an <input>\nCall log:\n - a');
    const error = toActionError(cause, 'a');
    expect(error).toMatchObject({
      kind: 'invalid',
      message: 'The action failed: Error: Element is not an <input>',
      cause,
    });
  });

  it('leaves its own kind alone', () => {
    const error = new BrowserActionError('refused', 'No.');
    expect(toActionError(error)).toBe(error);
  });
});
