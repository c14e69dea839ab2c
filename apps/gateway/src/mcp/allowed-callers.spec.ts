import { allowedCallers, refuseForeign } from './allowed-callers.js';

const callers = allowedCallers({
  PUBLIC_BASE_URL: 'https://agents.example.com/base',
  MCP_ALLOWED_HOSTS: ['gateway.internal'],
  MCP_ALLOWED_ORIGINS: ['app.example.com'],
  CORS_ALLOWED_ORIGINS: ['https://exact.example.com:8443'],
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
  it.each([
    undefined,
    'https://agents.example.com',
    'http://localhost:3000',
    'https://app.example.com',
    'https://exact.example.com:8443',
  ])('%j passes', (origin) => {
    expect(ask('localhost', origin)).not.toThrow();
  });

  it.each([
    'null',
    'https://evil.example',
    'https://agents.example.com.evil.example',
    'nonsense',
    'file://',
    'https://exact.example.com',
    'http://exact.example.com:8443',
  ])('%s is refused', (origin) => {
    expect(ask('localhost', origin)).toThrow(
      expect.objectContaining({ code: 'forbidden', message: expect.stringContaining('Origin') }),
    );
  });

  it('that is allowed does not make up for a name that was made to lead here', () => {
    expect(ask('evil.example', 'https://exact.example.com:8443')).toThrow(
      expect.objectContaining({ code: 'forbidden', message: expect.stringContaining('Host') }),
    );
  });
});

it('an operator who has something in front may let all pass', () => {
  const open = allowedCallers({
    PUBLIC_BASE_URL: 'https://agents.example.com',
    MCP_ALLOWED_HOSTS: ['*'],
    MCP_ALLOWED_ORIGINS: ['*'],
    CORS_ALLOWED_ORIGINS: [],
  });
  expect(() => refuseForeign(open, { host: 'x.example', origin: 'https://evil.example' })).not.toThrow();
});
