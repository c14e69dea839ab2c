import { bearerToken } from './bearer-token.js';

describe('bearerToken', () => {
  it.each([
    ['Bearer aos_a-b_c', 'aos_a-b_c'],
    ['bearer x', 'x'],
    ['BEARER   x  ', 'x'],
    ['Bearer a.b.c', 'a.b.c'],
    ['Bearer a+/~=', 'a+/~='],
  ])('%j gives %j', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });

  it.each([
    [undefined],
    [''],
    ['Bearer'],
    ['Bearer '],
    ['Bearer a b'],
    ['Bearer\ta'],
    ['Basic a'],
    ['a'],
    ['Bearer é'],
    ['xBearer a'],
    [`Bearer ${'a'.repeat(8193)}`],
  ])('%j gives none', (header) => {
    expect(bearerToken(header)).toBeUndefined();
  });
});
