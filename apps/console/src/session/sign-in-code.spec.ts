import { codeIn } from './sign-in-code';

describe('the code of a sign-in link', () => {
  it.each([
    ['#code=signin_abc', 'signin_abc'],
    ['#other=1&code=signin_abc', 'signin_abc'],
    ['', undefined],
    ['#', undefined],
    ['#code', ''],
  ])('is read from %p', (fragment, code) => {
    expect(codeIn(fragment)).toBe(code);
  });
});
