import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createWebhook, runCompleted, runStarted, testWebhook, updateWebhook } from '@aos/contracts';
import type { Resolve } from '@aos/egress';
import { eventually } from '@aos/testing';
import { AppModule } from '../src/app.module.js';
import { service } from '../src/service.js';
import {
  exampleOf,
  startWebhooks,
  type DispatcherUnderTest,
  type WebhooksClient,
} from './dispatcher-under-test.js';
import { adviceForFailure } from '../src/sending/attempt-advice.js';

const outside = ['93.184.216.34'];
const inside = ['127.0.0.1'];
const refusal = 'The host of the URL resolves to a private, local or reserved address.';
const advised = `${refusal} ${adviceForFailure('forbidden')}`;

/** The dispatcher as it is, but for what answers when it asks for names. */
function withResolver(resolve: Resolve): typeof service {
  return { ...service, modules: (config) => [AppModule.forRoot(config, resolve)] };
}

describe('the guard against calls to the inside', () => {
  let names: Record<string, readonly string[]>;
  let asked: string[];
  let server: Server;
  let connections: number;
  let url: string;
  let webhooks: DispatcherUnderTest;
  let team: WebhooksClient;

  const start = (allowed: string) =>
    startWebhooks(
      { EGRESS_ALLOW_CIDRS: allowed, WEBHOOK_RETRY_SCHEDULE_MS: '0,50,50' },
      withResolver((hostname) => {
        asked.push(hostname);
        return Promise.resolve(names[hostname] ?? []);
      }),
    );

  beforeAll(async () => {
    // Whoever connects is counted, whatever it may say.
    server = createServer((socket) => {
      connections += 1;
      socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
      socket.on('error', () => undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://hooks.example.com:${(server.address() as AddressInfo).port}/hook`;
  });

  beforeEach(() => {
    connections = 0;
    asked = [];
    names = { 'hooks.example.com': outside };
  });

  afterAll(() => server?.close());

  describe('as it is', () => {
    beforeAll(async () => {
      asked = [];
      webhooks = await start('');
    });

    beforeEach(() => {
      team = webhooks.anotherTeam();
    });

    afterAll(() => webhooks?.stop());

    it.each([
      ['that is one of the inside by then', inside],
      ['that is one of the inside among others', [...outside, ...inside]],
      ['that is one of the inside in another spelling', ['::ffff:127.0.0.1']],
    ])('does not connect to a name %s', async (_, addresses) => {
      const { id: subscriptionId } = await team.subscribe(url, runCompleted.name);
      names = { 'hooks.example.com': addresses };
      asked = [];
      const [id] = (await webhooks.runs.record([exampleOf(runCompleted, team.teamId)])) as [string];
      const { attempts } = await team.reach(subscriptionId, id, 'dead');
      expect(attempts.map(({ status_code: code, error }) => [code, error])).toEqual([
        [null, advised],
        [null, advised],
        [null, advised],
      ]);
      expect(asked).toEqual(attempts.map(() => 'hooks.example.com'));
      expect(connections).toBe(0);
    });

    it('does not connect for a test either', async () => {
      const { id: subscriptionId } = await team.subscribe(url, runCompleted.name);
      names = { 'hooks.example.com': inside };
      const answer = await team.succeed(testWebhook, { params: { subscriptionId } });
      expect(answer).toMatchObject({ success: false, status_code: null, error: advised });
      expect(connections).toBe(0);
    });

    it('does not connect for the callback of a run, whatever address it was given', async () => {
      names = { 'hooks.example.com': inside };
      const { port } = server.address() as AddressInfo;
      const ids = await webhooks.runs.record(
        [
          url,
          `http://127.0.0.1:${port}/`,
          `http://[::ffff:127.0.0.1]:${port}/`,
          `http://0x7f.1:${port}/`,
        ].map((callbackUrl) => exampleOf(runStarted, team.teamId, { callbackUrl })),
      );
      await eventually(async () => {
        const rows = await webhooks.database.query(
          `SELECT status, attempts FROM webhook_dispatcher.delivery WHERE event_id = ANY ($1)`,
          [ids],
        );
        expect(rows).toEqual(ids.map(() => ({ status: 'dead', attempts: 3 })));
      });
      expect(connections).toBe(0);
    });

    it('does not accept a name of the inside', async () => {
      const { id: subscriptionId } = await team.subscribe(url, runCompleted.name);
      names = { 'hooks.example.com': inside };
      const answers = [
        await team.call(createWebhook, { body: { url, events: [runCompleted.name] } }),
        await team.call(updateWebhook, { params: { subscriptionId }, body: { url } }),
      ];
      for (const { status, body } of answers) {
        expect([status, body.error, body.message]).toEqual([400, 'invalid_webhook_url', `url: ${refusal}`]);
      }
    });

    it('accepts a name that nobody knows yet, and tries it', async () => {
      names = {};
      const { id: subscriptionId } = await team.subscribe(url, runCompleted.name);
      const [id] = (await webhooks.runs.record([exampleOf(runCompleted, team.teamId)])) as [string];
      const { attempts } = await team.reach(subscriptionId, id, 'dead');
      expect(attempts[0]).toMatchObject({
        status_code: null,
        error: `The host name does not resolve. ${adviceForFailure('connect')}`,
      });
    });
  });

  // Without it nobody would know that the tests above could fail.
  it('connects where the operator has opened the range', async () => {
    const open = await start('127.0.0.0/8');
    const { id: subscriptionId } = await open.subscribe(url, runCompleted.name);
    names = { 'hooks.example.com': inside };
    const [id] = (await open.runs.record([exampleOf(runCompleted, open.teamId)])) as [string];
    const { attempts } = await open.reach(subscriptionId, id, 'delivered');
    expect(attempts).toHaveLength(1);
    expect(connections).toBe(1);
    await open.stop();
  });
});
