import { EgressError } from '@aos/egress';
import {
  AuthorizationResponseError,
  OperationProcessingError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';

/**
 * refused: the provider said no, and will say it again · away: it may be better later · invalid: what it said makes no
 * sense, or is not from whom it should be.
 */
export type OAuthFailureKind = 'refused' | 'away' | 'invalid';

/** Why an OAuth call had no result. The message can be shown to a team: it holds nothing that the provider wrote but its code. */
export class OAuthFailure extends Error {
  override readonly name = 'OAuthFailure';

  constructor(
    readonly kind: OAuthFailureKind,
    message: string,
    /** The `error` of RFC 6749, where there was one. */
    readonly code?: string,
    /** Whether it is the client that was refused, whatever the grant is worth. */
    readonly isOfClient = false,
  ) {
    super(message);
  }
}

/** Error codes for an unknown client or a wrong secret: of RFC 6749, GitHub and Slack. */
const ofClient = new Set([
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
  'bad_client_secret',
  'invalid_client_id',
]);

/** Errors of RFC 6749 after which the same request may succeed. */
const passing = new Set(['temporarily_unavailable', 'server_error', 'slow_down', 'internal_error']);

/** Classifies a failed token request. Keeps nothing of the request or the answer: both hold secrets. */
export function toOAuthFailure(error: unknown): OAuthFailure {
  if (error instanceof OAuthFailure) return error;
  if (error instanceof EgressError) {
    return new OAuthFailure(error.kind === 'forbidden' ? 'invalid' : 'away', error.message);
  }
  if (error instanceof ResponseBodyError) {
    const code = codeOf(error.error);
    const isPassing = isPassingStatus(error.status) || passing.has(code);
    return isPassing
      ? new OAuthFailure('away', `The authorization server is away (${code}).`, code)
      : new OAuthFailure('refused', `The authorization server refused (${code}).`, code, ofClient.has(code));
  }
  if (error instanceof AuthorizationResponseError) {
    const code = codeOf(error.error);
    return new OAuthFailure('refused', `The authorization server refused (${code}).`, code);
  }
  if (error instanceof WWWAuthenticateChallengeError) return ofChallenge(error);
  if (isAborted(error)) return new OAuthFailure('away', 'The authorization server did not answer in time.');
  if (error instanceof OperationProcessingError) return ofAnswer(error);
  throw error;
}

/** The library reads no body beside a challenge, so there is no code: what came says that we are not let in as we are. */
function ofChallenge({ status }: WWWAuthenticateChallengeError): OAuthFailure {
  return isPassingStatus(status)
    ? new OAuthFailure('away', `The authorization server is away (HTTP ${status}).`)
    : new OAuthFailure(
        'refused',
        `The authorization server refused (HTTP ${status}).`,
        undefined,
        status === 401,
      );
}

/** An answer that is no OAuth at all: a proxy's error page is one of an authorization server that is away. */
function ofAnswer(error: OperationProcessingError): OAuthFailure {
  const status = error.cause instanceof Response ? error.cause.status : undefined;
  if (status !== undefined && isPassingStatus(status)) {
    return new OAuthFailure('away', `The authorization server is away (HTTP ${status}).`);
  }
  return new OAuthFailure('invalid', 'The answer of the authorization server is not valid.');
}

/** The server is unavailable or busy: the same request may succeed later. */
function isPassingStatus(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

function isAborted(error: unknown): boolean {
  const { name } = error as { name?: unknown };
  return name === 'AbortError' || name === 'TimeoutError';
}

/** A code as RFC 6749 writes them; whatever else a server puts there is not passed on. */
export function codeOf(text: string | undefined): string {
  return text !== undefined && /^[a-z][a-z0-9_.-]{0,63}$/i.test(text) ? text : 'error';
}
