import { isAllowedReturn, returnAddress } from './return-url.js';

const origins = ['https://app.example.com', 'http://127.0.0.1:3000'];

describe('where a browser may be sent after a consent', () => {
  it.each(['https://app.example.com', 'https://app.example.com/a?b=c#d', 'http://127.0.0.1:3000/x'])(
    '%s',
    (url) => {
      expect(isAllowedReturn(url, origins)).toBe(true);
    },
  );

  it.each([
    'https://evil.example.com/',
    'https://app.example.com.evil.com/',
    'https://app.example.com@evil.com/',
    'https://user:pw@app.example.com/',
    'https://app.example.com:8443/',
    'http://app.example.com/',
    '//app.example.com/',
    '/relative',
    'javascript:alert(1)//https://app.example.com',
    'data:text/html,x',
    'app.example.com',
    '',
  ])('not %s', (url) => {
    expect(isAllowedReturn(url, origins)).toBe(false);
  });

  it('nowhere, if no origin is named', () => {
    expect(isAllowedReturn('https://app.example.com/', [])).toBe(false);
  });

  it('is told how it ended, beside what was there', () => {
    const end = { connectionId: 'c1', status: 'error', error: 'access_denied' };
    expect(returnAddress('https://app.example.com/done?tab=2#top', end)).toBe(
      'https://app.example.com/done?tab=2&connection_id=c1&status=error&error=access_denied#top',
    );
  });
});
