import { refuseOtherPages } from './own-pages.js';

const address = 'https://agents.example.com/aos';
const origin = 'https://agents.example.com';
const marked = { 'x-aos-request': '1' };

function isRefused(method: string, headers: Record<string, string>, publicBaseUrl = address): boolean {
  try {
    refuseOtherPages({ method, headers: { host: 'agents.example.com', ...headers } }, publicBaseUrl);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'forbidden' });
    return true;
  }
}

describe('a request with a session', () => {
  it.each<[string, string, Record<string, string>]>([
    ['reads', 'GET', {}],
    ['reads, and says where it comes from', 'GET', { origin, 'sec-fetch-site': 'same-origin' }],
    ['opens an address', 'GET', { 'sec-fetch-site': 'none' }],
    ['changes something', 'POST', { ...marked, origin }],
    ['changes something, and says more', 'DELETE', { ...marked, origin, 'sec-fetch-site': 'same-origin' }],
  ])('is taken from a page of the service that %s', (_, method, headers) => {
    expect(isRefused(method, headers)).toBe(false);
  });

  it.each<[string, string, Record<string, string>]>([
    ['another site, to read', 'GET', { origin: 'https://evil.test' }],
    ['another site that names no origin', 'GET', { 'sec-fetch-site': 'cross-site' }],
    ['a sister of the host', 'GET', { 'sec-fetch-site': 'same-site' }],
    ['another site', 'POST', { ...marked, origin: 'https://evil.test' }],
    ['another port', 'POST', { ...marked, origin: 'https://agents.example.com:8443' }],
    ['the same host without TLS', 'POST', { ...marked, origin: 'http://agents.example.com' }],
    ['a page without an origin', 'POST', { ...marked, origin: 'null' }],
    ['nowhere, to change something', 'POST', marked],
    ['a form', 'POST', { origin }],
    ['a page that marks it otherwise', 'POST', { origin, 'x-aos-request': 'yes' }],
  ])('is refused from %s', (_, method, headers) => {
    expect(isRefused(method, headers)).toBe(true);
  });

  it('is taken under another name of the service, whose cookie it is then', () => {
    const local = { ...marked, origin: 'http://localhost:8080', host: 'localhost:8080' };
    expect(isRefused('POST', local, 'http://127.0.0.1:8080')).toBe(false);
    expect(isRefused('POST', { ...local, origin: 'http://localhost:9090' }, 'http://127.0.0.1:8080')).toBe(
      true,
    );
    expect(isRefused('POST', local, 'https://agents.example.com')).toBe(true);
  });
});
