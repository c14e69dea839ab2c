import { EgressError, type Egress } from '@aos/egress';
import { deliveryHeaders } from '../secrets/webhook-signature.js';
import { parseRetryAfter } from './retry-schedule.js';

export interface Outgoing {
  readonly id: string;
  readonly event: string;
  readonly url: string;
  readonly body: string;
  readonly secrets: readonly string[];
}

/** What came of one attempt. */
export interface Attempt {
  readonly at: Date;
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
  const at = new Date();
  const began = performance.now();
  const durationMs = () => Math.round(performance.now() - began);
  const { url, body, secrets } = outgoing;
  try {
    const answer = await egress.request({
      url,
      method: 'POST',
      headers: deliveryHeaders({ ...outgoing, at }, secrets),
      body,
      maxBytes: keptBytes,
      ...limits,
    });
    return {
      at,
      statusCode: answer.status,
      durationMs: durationMs(),
      error: isSuccess(answer.status) ? null : `The receiver answered with status ${answer.status}.`,
      responseBody: storableText(answer.body),
      retryAfterMs: parseRetryAfter(answer.headers.get('retry-after'), new Date()),
    };
  } catch (error) {
    if (!(error instanceof EgressError) || error.kind === 'aborted') throw error;
    return { at, statusCode: null, durationMs: durationMs(), error: error.message, responseBody: null };
  }
}

/** An attempt that ended before anything was sent. */
export function unsent(error: string): Attempt {
  return { at: new Date(), statusCode: null, durationMs: 0, error, responseBody: null };
}

export function succeeded({ statusCode }: Attempt): boolean {
  return statusCode !== null && isSuccess(statusCode);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Text that Postgres takes, whatever the receiver sent. */
function storableText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll('\u0000', '\uFFFD');
}
