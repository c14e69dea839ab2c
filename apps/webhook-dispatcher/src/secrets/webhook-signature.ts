import { createHmac } from 'node:crypto';

export interface SignedThing {
  readonly id: string;
  readonly event: string;
  /** The very bytes that are sent. */
  readonly body: string;
  /** The time of the attempt. */
  readonly at: Date;
}

const secretPrefix = 'whsec_';

/**
 * The headers of a delivery, signed with each secret: twice while one replaces another. `X-Service-Signature` is keyed
 * with the whole text of the secret; the headers of Standard Webhooks with the bytes that it stands for.
 */
export function deliveryHeaders(thing: SignedThing, secrets: readonly string[]): Record<string, string> {
  const seconds = Math.floor(thing.at.getTime() / 1_000);
  const own = secrets.map((secret) => `v1=${hmac(secret, `${seconds}.${thing.body}`, 'hex')}`);
  const standard = secrets.map(
    (secret) => `v1,${hmac(secretBytes(secret), `${thing.id}.${seconds}.${thing.body}`, 'base64')}`,
  );
  return {
    'content-type': 'application/json',
    'user-agent': 'agent-operations-service',
    'x-service-signature': [`t=${seconds}`, ...own].join(),
    'x-service-event': thing.event,
    'x-service-delivery': thing.id,
    'webhook-id': thing.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': standard.join(' '),
  };
}

/** A secret from 32 random bytes. */
export function secretOf(bytes: Buffer): string {
  return secretPrefix + bytes.toString('base64');
}

function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(secretPrefix.length), 'base64');
}

function hmac(key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text, 'utf8').digest(encoding);
}
