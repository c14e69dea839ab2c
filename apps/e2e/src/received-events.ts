import { createHmac } from 'node:crypto';
import type { EventEnvelope } from '@aos/contracts';
import type { ReceivedDelivery, WebhookReceiver } from '@aos/testing';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const toleranceSeconds = 300;

/** What came to one path of a receiver, in the order in which it came. */
export function receivedAt(receiver: WebhookReceiver, path: string): ReceivedDelivery[] {
  return receiver.received.filter((delivery) => delivery.path === path);
}

export function envelopeOf({ rawBody }: ReceivedDelivery): EventEnvelope {
  return JSON.parse(rawBody.toString('utf8')) as EventEnvelope;
}

/** The different events among deliveries; one that was sent twice is there once. */
export function envelopesOf(deliveries: readonly ReceivedDelivery[]): EventEnvelope[] {
  return [...new Map(deliveries.map(envelopeOf).map((envelope) => [envelope.id, envelope])).values()];
}

/** In what a delivery departs from what receivers are promised; `secrets` are all that sign at its time. */
export function deliveryProblems(delivery: ReceivedDelivery, ...secrets: readonly string[]): string[] {
  const { headers, receivedAt: at } = delivery;
  const envelope = envelopeOf(delivery);
  const problems: string[] = [];
  const expect = (what: string, given: unknown, wanted: unknown) => {
    if (given !== wanted) problems.push(`${what} is ${String(given)}, not ${String(wanted)}`);
  };
  expect('the envelope', Object.keys(envelope).join(), 'id,event,created_at,data');
  if (!timestamp.test(envelope.created_at)) problems.push(`created_at is ${envelope.created_at}`);
  expect('Content-Type', headers['content-type'], 'application/json');
  expect('X-Service-Event', headers['x-service-event'], envelope.event);
  expect('X-Service-Delivery', headers['x-service-delivery'], envelope.id);
  expect('webhook-id', headers['webhook-id'], envelope.id);
  const seconds = /^t=(\d{10}),/.exec(String(headers['x-service-signature']))?.[1] ?? '';
  if (!(Math.abs(at.getTime() / 1_000 - Number(seconds)) <= toleranceSeconds)) {
    problems.push(`t is ${seconds} at ${at.toISOString()}`);
  }
  expect('webhook-timestamp', headers['webhook-timestamp'], seconds);
  expect('X-Service-Signature', headers['x-service-signature'], ownSignature(delivery, seconds, secrets));
  expect('webhook-signature', headers['webhook-signature'], standardSignature(delivery, seconds, secrets));
  return problems;
}

/** The key is the whole secret as text. */
function ownSignature({ rawBody }: ReceivedDelivery, seconds: string, secrets: readonly string[]): string {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret, 'utf8'));
    return `v1=${hmac.update(`${seconds}.`).update(rawBody).digest('hex')}`;
  });
  return [`t=${seconds}`, ...signatures].join();
}

/** Of Standard Webhooks: the key is what the secret is the base64 of. */
function standardSignature(
  { id, rawBody }: ReceivedDelivery,
  seconds: string,
  secrets: readonly string[],
): string {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
    return `v1,${hmac.update(`${id}.${seconds}.`).update(rawBody).digest('base64')}`;
  });
  return signatures.join(' ');
}
