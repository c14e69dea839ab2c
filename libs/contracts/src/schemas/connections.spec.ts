import { connectionHeadersSchema } from './connections.js';

function faultOf(headers: unknown): string | undefined {
  return connectionHeadersSchema.safeParse(headers).error?.issues[0]?.message;
}

describe('the headers of a connection', () => {
  it.each([
    [{ 'X-Key': 'k' }, { plaintext: {}, secret: { 'X-Key': 'k' } }],
    [{ plaintext: { 'X-Region': 'eu' } }, { plaintext: { 'X-Region': 'eu' }, secret: {} }],
    [{ plaintext: 'a header' }, { plaintext: {}, secret: { plaintext: 'a header' } }],
    [
      { plaintext: null, secret: { 'X-Key': 'k' } },
      { plaintext: {}, secret: { 'X-Key': 'k' } },
    ],
    [
      { plaintext: { 'X-Region': 'eu' }, secret: null },
      { plaintext: { 'X-Region': 'eu' }, secret: {} },
    ],
  ])('%j', (given, expected) => {
    expect(connectionHeadersSchema.parse(given)).toEqual(expected);
  });

  it.each([
    ['a null', { 'X-Key': null }, /X-Key must be a text/],
    ['a null beside others', { plaintext: null, secret: {}, 'X-Key': 'k' }, /plaintext must be a text/],
    ['a plain null under a secret name', { plaintext: { a: null }, secret: { a: 'b' } }, /a must be a text/],
    ['a plain list under a secret name', { plaintext: { a: [] }, secret: { a: 'b' } }, /a must be a text/],
    ['a name that is plain and secret', { plaintext: { a: 'b' }, secret: { A: 'b' } }, /given twice/],
    ['the same name, plain and secret', { plaintext: { a: 'b' }, secret: { a: 'b' } }, /given twice/],
  ])('%s is refused', (_, given, message) => {
    expect(faultOf(given)).toMatch(message);
  });
});
