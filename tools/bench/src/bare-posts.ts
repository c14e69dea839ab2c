// A child: POSTs of the size of a delivery with undici to a server in the same process, and nothing else.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCompleted } from '@aos/contracts';
import { Agent, request } from 'undici';
import { childInput } from './children.js';
import { latency } from './latency.js';

const { inFlight, seconds } = childInput<{ inFlight: number; seconds: number }>();
const server = createServer((incoming, response) => {
  incoming.resume();
  incoming.on('end', () => response.writeHead(200).end());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const dispatcher = new Agent();
const body = JSON.stringify({ id: '', event: runCompleted.name, created_at: '', data: runCompleted.example });
const headers = { 'content-type': 'application/json' };
const result = await latency(inFlight, seconds, async () => {
  const answer = await request(url, { method: 'POST', headers, body, dispatcher });
  await answer.body.dump();
});
process.send!(result);
