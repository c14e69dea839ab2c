import { SessionCookie } from './session-cookie.js';

describe('the cookie of a session', () => {
  it.each([
    ['http://agents.example.com', 'aos_session=t; Path=/; HttpOnly; SameSite=Lax; Max-Age=60'],
    ['http://127.0.0.1:8080', 'aos_session_8080=t; Path=/; HttpOnly; SameSite=Lax; Max-Age=60'],
    [
      'https://agents.example.com',
      '__Host-aos_session=t; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60',
    ],
    [
      'https://example.com/aos',
      '__Secure-aos_session=t; Path=/aos; HttpOnly; SameSite=Lax; Secure; Max-Age=60',
    ],
    ['http://example.com/aos/', 'aos_session=t; Path=/aos; HttpOnly; SameSite=Lax; Max-Age=60'],
  ])('at %s', (address, expected) => {
    expect(new SessionCookie(address).keeping('t', 60)).toBe(expected);
  });

  it('is removed by one with the same name and path', () => {
    expect(new SessionCookie('https://example.com/aos').removing).toBe(
      '__Secure-aos_session=; Path=/aos; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
    );
  });

  it.each([
    ['aos_session=abc', 'abc'],
    ['theme=dark; aos_session=a-b_c ; other=1', 'a-b_c'],
    ['aos_session=first; aos_session=second', 'first'],
    ['aos_session_8080=abc', undefined],
    ['xaos_session=abc', undefined],
    ['aos_session', undefined],
    ['aos_session=', undefined],
    ['aos_session="abc"', undefined],
    [`aos_session=${'x'.repeat(201)}`, undefined],
    ['', undefined],
    [undefined, undefined],
  ])('is found in %j: %s', (header, token) => {
    expect(new SessionCookie('http://example.com').tokenIn(header)).toBe(token);
  });
});
