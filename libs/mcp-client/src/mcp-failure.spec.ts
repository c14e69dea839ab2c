import { EgressError } from '@aos/egress';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { McpFailure, toMcpFailure } from './mcp-failure.js';

const http = (status: number) =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'Error POSTing: Bearer secret', { status });
const of = (error: unknown, hasSession = false) => {
  const { kind, message, status } = toMcpFailure(error, { hasSession });
  return { kind, message, status };
};

describe('the failure of a call to an MCP server', () => {
  it.each([
    ['connect', 'unsent'],
    ['reset', 'broken'],
    ['timeout', 'timeout'],
    ['forbidden', 'forbidden'],
    ['protocol', 'invalid'],
    ['aborted', 'aborted'],
  ] as const)('that the guard saw as %s is %s, however deep it lies', (given, kind) => {
    const cause = new EgressError(given, 'Why.');
    const wrapped = new SdkError(SdkErrorCode.EraNegotiationFailed, 'probe failed', undefined, { cause });
    expect([of(cause), of(wrapped)]).toEqual(Array(2).fill({ kind, message: 'Why.', status: undefined }));
  });

  it('is a lost session only where there was one', () => {
    expect([of(http(404), true).kind, of(http(400), true).kind, of(http(404)).kind]).toEqual([
      'session',
      'session',
      'http',
    ]);
  });

  it('keeps the status, and nothing of what the server wrote', () => {
    expect(of(http(503), true)).toEqual({
      kind: 'http',
      message: 'The server answered with HTTP 503.',
      status: 503,
    });
    const invalid = new SdkError(SdkErrorCode.InvalidResult, 'Invalid result: Bearer secret');
    expect(of(invalid)).toEqual({
      kind: 'invalid',
      message: 'The server does not speak MCP.',
      status: undefined,
    });
  });

  it("is the server's own error where it answers with one", () => {
    expect(of(new ProtocolError(-32602, 'No such tool'))).toMatchObject({
      kind: 'rpc',
      message: expect.stringContaining('No such tool'),
    });
  });

  it('tells a time-out from a connection that was closed', () => {
    expect(of(new SdkError(SdkErrorCode.RequestTimeout, 'x')).kind).toBe('timeout');
    expect(of(new SdkError(SdkErrorCode.ConnectionClosed, 'x')).kind).toBe('broken');
  });

  it('of our own making stays as it is', () => {
    const own = new McpFailure('http', 'Ours.', 401);
    expect(toMcpFailure(new Error('wrapped', { cause: own }), { hasSession: true })).toBe(own);
  });
});
