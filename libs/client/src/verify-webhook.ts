import type { TeamEvent } from './generated.js';
import { encode, hmacKey, joined } from './webhook-keys.js';

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

export interface WebhookToVerify {
  /** The bytes as they came; JSON that was parsed and written again is not the same. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** The header `X-Service-Signature`. */
  readonly signature: string | null | undefined;
  readonly secret: string;
  /** How old a delivery may be, and how far ahead of this clock. */
  readonly toleranceSeconds?: number;
  readonly now?: () => number;
}

const defaultToleranceSeconds = 300;

/** The event of a delivery that is genuine and fresh; throws if it is not. */
export async function verifyWebhook(delivery: WebhookToVerify): Promise<TeamEvent> {
  const { secret, toleranceSeconds = defaultToleranceSeconds, now = Date.now } = delivery;
  const { time, signatures } = partsOf(delivery.signature ?? '');
  if (time === undefined || signatures.length === 0) {
    throw new WebhookVerificationError('The signature is missing or malformed.');
  }
  if (Math.abs(now() / 1000 - Number(time)) > toleranceSeconds) {
    throw new WebhookVerificationError('The signature is too old, or from the future.');
  }
  const body = typeof delivery.body === 'string' ? encode(delivery.body) : delivery.body;
  if (!(await isSigned(secret, joined(encode(`${time}.`), body), signatures))) {
    throw new WebhookVerificationError('The signature does not fit: another secret, or changed on the way.');
  }
  return JSON.parse(new TextDecoder().decode(body)) as TeamEvent;
}

function partsOf(header: string): { time: string | undefined; signatures: Uint8Array<ArrayBuffer>[] } {
  const parts = header.split(',').map((part) => part.trim().split('='));
  return {
    time: parts.find(([name, value]) => name === 't' && /^\d{1,12}$/.test(value ?? ''))?.[1],
    signatures: parts.flatMap(([name, value]) =>
      name === 'v1' && /^[0-9a-f]{64}$/.test(value ?? '') ? [fromHex(value!)] : [],
    ),
  };
}

/** Whether one of the signatures fits; there are two while a secret is being replaced. Compared in constant time. */
async function isSigned(
  secret: string,
  message: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const key = await hmacKey(encode(secret), 'verify');
  const fits = await Promise.all(
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, message)),
  );
  return fits.includes(true);
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
