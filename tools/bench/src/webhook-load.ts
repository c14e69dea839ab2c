// A child: records events as the service `runs` does, and receives their deliveries.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { runCompleted } from '@aos/contracts';
import { startEventLog } from '@aos/testing';
import { childInput } from './children.js';
import type { WebhookLoad, WebhookLoadResult } from './webhook-load.types.js';

const { environment, base, team, key, receivers, hanging, batch, everyMs, events } =
  childInput<WebhookLoad>();
const warmUpEvents = 200;

const committedAt = new Map<string, number>();
const arrivals: { readonly id: string; readonly at: number }[] = [];

function receive(request: IncomingMessage, response: ServerResponse): void {
  const at = performance.now();
  request.resume();
  if (request.url === '/hang') return;
  request.on('end', () => {
    arrivals.push({ id: String(request.headers['x-service-delivery']), at });
    response.writeHead(200).end();
  });
}

const server = createServer(receive);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

async function subscribe(path: string): Promise<string> {
  const response = await fetch(`${base}/v2/teams/${team}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `http://127.0.0.1:${port}${path}`, events: [runCompleted.name] }),
  });
  if (response.status !== 201) throw new Error(`createWebhook: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { subscriptionId: string }).subscriptionId;
}

const log = await startEventLog('runs', environment);
const paths = [
  ...Array.from({ length: receivers }, (_, n) => `/receiver-${n}`),
  ...(hanging ? ['/hang'] : []),
];
const subscriptions = await Promise.all(paths.map(subscribe));

async function record(count: number): Promise<void> {
  const wanted = Array.from({ length: count }, () => ({
    event: runCompleted,
    teamId: team,
    data: { ...runCompleted.example!, team_id: team },
  }));
  const ids = await log.record(wanted);
  const at = performance.now();
  for (const id of ids) committedAt.set(id, at);
}

/** Records the events and waits until all deliveries are there. */
async function load(count: number): Promise<{ readonly beganAt: number; readonly endedAt: number }> {
  arrivals.length = 0;
  const beganAt = performance.now();
  for (let recorded = 0; recorded < count; recorded += batch) {
    const next = beganAt + (recorded / batch) * everyMs;
    await delay(Math.max(0, next - performance.now()));
    await record(Math.min(batch, count - recorded));
  }
  while (arrivals.length < count * receivers) await delay(5);
  return { beganAt, endedAt: arrivals.at(-1)!.at };
}

await load(warmUpEvents);
const { beganAt, endedAt } = await load(events);
const waits = arrivals.map(({ id, at }) => at - committedAt.get(id)!).sort((a, b) => a - b);
const quantile = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]!;
const result: WebhookLoadResult = {
  perSecond: arrivals.length / ((endedAt - beganAt) / 1000),
  p50Ms: quantile(0.5),
  p95Ms: quantile(0.95),
};
for (const id of subscriptions) {
  const url = `${base}/v2/teams/${team}/webhooks/${id}`;
  await fetch(url, { method: 'DELETE', headers: { authorization: `Bearer ${key}` } });
}
await log.stop();
process.send!(result);
