import { errors } from 'undici';
import { ForbiddenAddress } from './dispatcher.js';

/**
 * forbidden: the guard refused · timeout: nothing or too little came in time · connect: no connection (DNS, TCP, TLS)
 * · reset: it broke off · protocol: no valid HTTP, ours or theirs · aborted: the caller gave up, or closed.
 */
export type EgressErrorKind = 'forbidden' | 'timeout' | 'connect' | 'reset' | 'protocol' | 'aborted';

/** Why an outgoing call failed. The message can be shown to a team; `cause` is for logs. */
export class EgressError extends Error {
  override readonly name = 'EgressError';

  constructor(
    readonly kind: EgressErrorKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

const byCode: Readonly<Record<string, readonly [EgressErrorKind, string]>> = {
  ETIMEDOUT: ['timeout', 'The connection was not made in time.'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'The connection was not made in time.'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'The answer did not come in time.'],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'The answer did not come in time.'],
  ENOTFOUND: ['connect', 'The host name does not resolve.'],
  ECONNREFUSED: ['connect', 'The connection was refused.'],
  UND_ERR_INVALID_ARG: ['protocol', 'The request is not valid HTTP.'],
  UND_ERR_NOT_SUPPORTED: ['protocol', 'The request is not valid HTTP.'],
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: ['protocol', 'The request is not valid HTTP.'],
  UND_ERR_HEADERS_OVERFLOW: ['protocol', 'The headers of the answer are too large.'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['reset', 'The connection broke off before the answer was complete.'],
  UND_ERR_CLOSED: ['aborted', 'The client is closed.'],
  UND_ERR_DESTROYED: ['aborted', 'The client is closed.'],
};

/** What a failure of undici or of a socket means to the caller. */
export function toEgressError(error: Error, phase: 'connecting' | 'connected'): EgressError {
  if (error instanceof ForbiddenAddress) return new EgressError('forbidden', error.message, error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = byCode[code];
  if (known) return new EgressError(...known, error);
  // undici gives it no code, and an end that comes too early is one of its reasons.
  if (error instanceof errors.HTTPParserError && !error.message.includes('Invalid EOF state')) {
    return new EgressError('protocol', 'The answer is not valid HTTP.', error);
  }
  if (phase === 'connected') {
    return new EgressError('reset', 'The connection broke off before the answer was complete.', error);
  }
  // OpenSSL's own codes, Node's, and the reasons why a certificate is not trusted.
  const tls = /^ERR_(SSL|TLS)_|^EPROTO$|CERT|LEAF_SIGNATURE/.test(code);
  return new EgressError(
    'connect',
    tls ? 'The TLS handshake failed.' : 'The connection could not be made.',
    error,
  );
}
