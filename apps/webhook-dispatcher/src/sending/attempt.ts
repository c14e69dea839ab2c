import { EgressError, type Egress } from '@aos/egress';
import { deliveryHeaders } from '../secrets/webhook-signature.js';
import { adviceForFailure, adviceForStatus } from './attempt-advice.js';
import { parseRetryAfter } from './retry-schedule.js';

export interface Outgoing {
  readonly id: string;
  readonly event: string;
  readonly url: string;
  readonly body: string;
  readonly secrets: readonly string[];
  /** The time with which it is signed: receivers refuse old signatures. */
  readonly at: Date;
}

export interface Attempt {
  /** End of the attempt by the monotonic clock. Postgres computes the wall-clock time when it stores the attempt. */
  readonly endedAtMs: number;
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** Why there was no answer, or why it does not count. */
  readonly error: string | null;
  readonly responseBody: string | null;
  readonly retryAfterMs?: number;
}

export interface AttemptLimits {
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly signal?: AbortSignal;
}

const keptBytes = 1_024;
export const goneStatus = 410;

/** Signs and sends once. Throws only if it was given up through the signal. */
export async function attempt(egress: Egress, outgoing: Outgoing, limits: AttemptLimits): Promise<Attempt> {
  const began = performance.now();
  const times = () => {
    const endedAtMs = performance.now();
    return { endedAtMs, durationMs: Math.round(endedAtMs - began) };
  };
  const { url, body, secrets, at } = outgoing;
  try {
    const answer = await egress.request({
      url,
      method: 'POST',
      headers: deliveryHeaders(outgoing, secrets),
      body,
      maxBytes: keptBytes,
      ...limits,
    });
    const ended = times();
    return {
      ...ended,
      statusCode: answer.status,
      error: isSuccess(answer.status) ? null : refusalOf(answer.status),
      responseBody: storableText(answer.body),
      retryAfterMs: parseRetryAfter(
        answer.headers.get('retry-after'),
        new Date(at.getTime() + ended.durationMs),
      ),
    };
  } catch (error) {
    if (!(error instanceof EgressError) || error.kind === 'aborted') throw error;
    const { kind, message } = error;
    return {
      ...times(),
      statusCode: null,
      error: `${message} ${adviceForFailure(kind)}`,
      responseBody: null,
    };
  }
}

/** An attempt that ended before anything was sent. */
export function unsent(error: string): Attempt {
  return { endedAtMs: performance.now(), statusCode: null, durationMs: 0, error, responseBody: null };
}

export function succeeded({ statusCode }: Attempt): boolean {
  return statusCode !== null && isSuccess(statusCode);
}

function refusalOf(status: number): string {
  return `The receiver answered with status ${status}. ${adviceForStatus(status)}`;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Text that Postgres takes, whatever the receiver sent. */
function storableText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll('\u0000', '\uFFFD');
}
