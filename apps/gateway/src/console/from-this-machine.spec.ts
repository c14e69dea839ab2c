import { isFromThisMachine, type RequestOrigin } from './from-this-machine.js';

const here: RequestOrigin = { remoteAddress: '127.0.0.1', headers: { host: '127.0.0.1:8080' } };

describe('whether a request is made at this machine', () => {
  it.each([
    ['by its address', here],
    ['by its name', { ...here, headers: { host: 'localhost:8080' } }],
    ['over IPv6', { remoteAddress: '::1', headers: { host: '[::1]:8080' } }],
    ['over IPv6 with an IPv4 address in it', { ...here, remoteAddress: '::ffff:127.0.0.1' }],
    ['by its own page', { ...here, headers: { host: 'localhost:8080', origin: 'http://localhost:8080' } }],
  ])('is so %s', (_name, request) => {
    expect(isFromThisMachine(request)).toBe(true);
  });

  const elsewhere: [string, RequestOrigin][] = [
    ['from another one', { ...here, remoteAddress: '192.0.2.7' }],
    ['from an address that only begins like it', { ...here, remoteAddress: '127.evil.test' }],
    ['without an address', { ...here, remoteAddress: undefined }],
    ['by a name that was made to lead here', { ...here, headers: { host: 'evil.test:8080' } }],
    ['by a name that begins like a local one', { ...here, headers: { host: '127.0.0.1.evil.test' } }],
    ['without a name', { ...here, headers: {} }],
    ['from the page of another site', { ...here, headers: { ...here.headers, origin: 'http://evil.test' } }],
    ['from a page without an origin', { ...here, headers: { ...here.headers, origin: 'null' } }],
    [
      'from a page of another port',
      { ...here, headers: { ...here.headers, origin: 'http://127.0.0.1:9999' } },
    ],
    ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'].map(
      (name) =>
        [
          `through a proxy that sends ${name}`,
          { ...here, headers: { ...here.headers, [name]: '127.0.0.1' } },
        ] satisfies [string, RequestOrigin],
    ),
  ];

  it.each(elsewhere)('is not so %s', (_name, request) => {
    expect(isFromThisMachine(request)).toBe(false);
  });
});
