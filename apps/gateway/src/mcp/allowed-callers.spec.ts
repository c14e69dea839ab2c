import { allowedCallers, refuseForeign } from './allowed-callers.js';

const callers = allowedCallers({
  PUBLIC_BASE_URL: 'https://agents.example.com/base',
  MCP_ALLOWED_HOSTS: ['gateway.internal'],
  MCP_ALLOWED_ORIGINS: ['app.example.com'],
});

const ask = (host: string | undefined, origin?: string) => () => refuseForeign(callers, { host, origin });

describe('the Host of a request', () => {
  it.each([
    'agents.example.com',
    'AGENTS.example.com:443',
    'localhost:8080',
    '127.0.0.1',
    '[::1]:8080',
    'gateway.internal',
  ])('%s passes', (host) => {
    expect(ask(host)).not.toThrow();
  });

  it.each([
    undefined,
    '',
    'evil.example',
    'agents.example.com.evil.example',
    'localhost.evil.example',
    'a b',
    '@',
  ])('%j is refused', (host) => {
    expect(ask(host)).toThrow(
      expect.objectContaining({ code: 'forbidden', message: expect.stringContaining('Host') }),
    );
  });
});

describe('the Origin of a request', () => {
  it.each([undefined, 'https://agents.example.com', 'http://localhost:3000', 'https://app.example.com'])(
    '%j passes',
    (origin) => {
      expect(ask('localhost', origin)).not.toThrow();
    },
  );

  it.each(['null', 'https://evil.example', 'https://agents.example.com.evil.example', 'nonsense', 'file://'])(
    '%s is refused',
    (origin) => {
      expect(ask('localhost', origin)).toThrow(
        expect.objectContaining({ code: 'forbidden', message: expect.stringContaining('Origin') }),
      );
    },
  );
});

it('an operator who has something in front may let all pass', () => {
  const open = allowedCallers({
    PUBLIC_BASE_URL: 'https://agents.example.com',
    MCP_ALLOWED_HOSTS: ['*'],
    MCP_ALLOWED_ORIGINS: ['*'],
  });
  expect(() => refuseForeign(open, { host: 'x.example', origin: 'https://evil.example' })).not.toThrow();
});
