import { nativeUrl } from './native-tools.js';

const base = 'https://api.example.com/v1/';

describe('the address of a call to a provider', () => {
  it.each([
    ['/users', 'https://api.example.com/v1/users'],
    ['users?page=2', 'https://api.example.com/v1/users?page=2'],
    ['//evil.example/x', 'https://api.example.com/v1/evil.example/x'],
    ['@evil.example', 'https://api.example.com/v1/@evil.example'],
    ['a/../users', 'https://api.example.com/v1/users'],
    ['/users#part', 'https://api.example.com/v1/users'],
    ['https://upload.example.com/x', 'https://upload.example.com/x'],
    ['javascript:alert(1)', 'https://api.example.com/v1/javascript:alert(1)'],
  ])('%s is %s', (path, expected) => {
    expect(nativeUrl(base, path)?.href).toBe(expected);
  });

  it('gets the query, values of a list one by one', () => {
    const url = nativeUrl('https://api.example.com', '/a?x=1', { y: 'ä b', n: 5, list: ['p', true] });
    expect(url?.href).toBe('https://api.example.com/a?x=1&y=%C3%A4+b&n=5&list=p&list=true');
  });

  it.each(['../v2/users', '/../v2', '%2e%2e/v2', '.%2E/v2', '..\\v2', 'a/../../v2', '..', '../v1x/users'])(
    'is none where the path leaves its base: %s',
    (path) => expect(nativeUrl(base, path)).toBeUndefined(),
  );

  it('is none where there is no host', () => {
    expect(nativeUrl(base, 'https://')).toBeUndefined();
  });
});
