import { encode, hmacKey } from './webhook-keys.js';

export interface WebhookToSign {
  /** The id of the event. */
  readonly id: string;
  readonly body: string;
  readonly secret: string;
  readonly now?: () => number;
}

/** The headers that sign a delivery as the service does it: for receivers' tests, and for tools that forward events. */
export async function signWebhook({
  id,
  body,
  secret,
  now = Date.now,
}: WebhookToSign): Promise<Record<string, string>> {
  const time = Math.floor(now() / 1000);
  const own = await signature(encode(secret), `${time}.${body}`);
  const standard = await signature(decoded(secret), `${id}.${time}.${body}`);
  return {
    'x-service-signature': `t=${time},v1=${hex(own)}`,
    'webhook-id': id,
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
  };
}

async function signature(key: Uint8Array<ArrayBuffer>, message: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', await hmacKey(key, 'sign'), encode(message)));
}

/** Standard Webhooks takes the bytes that stand behind the prefix. */
function decoded(secret: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (character) => character.charCodeAt(0));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
