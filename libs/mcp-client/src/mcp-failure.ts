import { EgressError } from '@aos/egress';
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

/**
 * unsent: no connection, so the server knows nothing of it · broken: it broke off, and what became of it is unknown
 * · timeout: no answer in time · session: the server has forgotten ours · http: another status than success
 * · rpc: the server's own error · invalid: no MCP · forbidden: the guard refused · aborted: the caller gave up.
 */
export type McpFailureKind =
  | 'unsent'
  | 'broken'
  | 'timeout'
  | 'session'
  | 'http'
  | 'rpc'
  | 'invalid'
  | 'forbidden'
  | 'aborted';

/** Why a server could not be asked. Nothing that it wrote is in the message, but for its own errors (`rpc`). */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';

  constructor(
    readonly kind: McpFailureKind,
    message: string,
    /** Of an answer over HTTP. */
    readonly status?: number,
  ) {
    super(message);
  }
}

const byEgress = {
  forbidden: 'forbidden',
  timeout: 'timeout',
  connect: 'unsent',
  reset: 'broken',
  protocol: 'invalid',
  aborted: 'aborted',
} as const satisfies Record<EgressError['kind'], McpFailureKind>;

/** What an error of the client means. It may repeat what was sent to the server, so it goes no further than here. */
export function toMcpFailure(error: unknown, { hasSession }: { readonly hasSession: boolean }): McpFailure {
  if (error instanceof McpFailure) return error;
  // Of a guarded call or of the fetch around it, whatever the client has wrapped it in.
  const own = causesOf(error).find((cause) => cause instanceof EgressError || cause instanceof McpFailure);
  if (own instanceof McpFailure) return own;
  if (own instanceof EgressError) return new McpFailure(byEgress[own.kind], own.message);
  if (error instanceof UnauthorizedError) return ofStatus(401, hasSession);
  if (error instanceof InsufficientScopeError) return ofStatus(403, hasSession);
  if (error instanceof SdkHttpError) return ofStatus(error.status, hasSession);
  if (error instanceof ProtocolError) return new McpFailure('rpc', error.message);
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return new McpFailure('timeout', 'The server did not answer in time.');
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) {
    return new McpFailure('broken', 'The connection broke off before the answer was complete.');
  }
  return new McpFailure('invalid', 'The server does not speak MCP.');
}

/** A session that is gone is 404; there are servers that say 400. */
function ofStatus(status: number, hasSession: boolean): McpFailure {
  const isGone = hasSession && (status === 404 || status === 400);
  const message = status === 401 ? 'The server wants credentials (401).' : httpMessage(status);
  return new McpFailure(isGone ? 'session' : 'http', message, status);
}

function httpMessage(status: number): string {
  return `The server answered with HTTP ${status}.`;
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let next = error; next instanceof Error && !causes.includes(next); next = next.cause)
    causes.push(next);
  return causes;
}
