import {
  createConnection,
  createSandboxUploadUrl,
  getWebhookSecret,
  roleNames,
  runWorkers,
  serviceNames,
  serviceOfRole,
  type RoleName,
} from '@aos/contracts';
import {
  connectRedisUser,
  eventually,
  openDatabase,
  startMcpServer,
  startReceiver,
  type RedisUser,
  type TestMcpServer,
  type WebhookReceiver,
} from '@aos/testing';
import type { ApiClient } from '../../src/api-client.js';
import { receivedAt } from '../../src/received-events.js';
import { makeAgent, makeRun, steps } from '../../src/sample-agents.js';
import { makeSandbox } from '../../src/sample-files.js';
import { makeWebhook } from '../../src/sample-webhooks.js';
import { SeparatedProduct, withUser } from '../../src/separated-product.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

const schemaOf = (role: RoleName) => serviceOfRole(role).replaceAll('-', '_');

/** Tables that each service has. */
const ordinaryTable = 'outbox_batch';
/** Whatever the role asks for, it may not. */
const forbiddenStatements = [
  'CREATE TABLE own_table (id int)',
  'CREATE TEMP TABLE own_table (id int)',
  'CREATE SCHEMA own_schema',
  'CREATE ROLE other SUPERUSER',
  `ALTER TABLE ${ordinaryTable} ADD COLUMN more int`,
  `DROP TABLE ${ordinaryTable}`,
  `TRUNCATE ${ordinaryTable}`,
  'DELETE FROM migration',
  `SELECT pg_read_file('/etc/passwd')`,
  `COPY (SELECT 1) TO PROGRAM 'id'`,
  'CREATE TABLE public.own_table (id int)',
];

const forbiddenCommands = [
  ['CONFIG', 'GET', '*'],
  ['ACL', 'LIST'],
  ['FLUSHALL'],
  ['FLUSHDB'],
  ['KEYS', '*'],
  ['SCAN', '0'],
  ['RANDOMKEY'],
  ['DBSIZE'],
  ['MONITOR'],
  ['CLIENT', 'LIST'],
  ['CLIENT', 'KILL', 'ID', '1'],
  ['SCRIPT', 'FLUSH'],
  ['FUNCTION', 'LIST'],
  ['FUNCTION', 'FLUSH'],
  ['PUBSUB', 'CHANNELS'],
  ['PSUBSCRIBE', '*'],
  ['SHUTDOWN', 'NOSAVE'],
  ['REPLICAOF', 'NO', 'ONE'],
  ['SAVE'],
];

describe('a product whose roles have accounts and keys of their own', () => {
  let product: SeparatedProduct;
  let provisioned: { code: number | null; output: string };

  beforeAll(async () => {
    product = await SeparatedProduct.prepare({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    provisioned = await product.provision();
  });

  afterAll(() => product?.stop());

  it('is provisioned by a command that prints no password', () => {
    expect(provisioned).toMatchObject({
      code: 0,
      output: expect.stringContaining('provisioned the roles of Postgres'),
    });
    const passwords = Object.values(product.accounts).map((url) => new URL(url).password);
    expect(new Set(passwords).size).toBe(2 * roleNames.length);
    for (const password of passwords) expect(provisioned.output).not.toContain(password);
  });

  describe.each(roleNames)('as %s at Postgres', (role) => {
    let database: ReturnType<typeof openDatabase>;
    const refusal = (statement: string) =>
      database.query(statement).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      );

    beforeAll(() => {
      const url = new URL(product.databaseUrl(role));
      url.searchParams.set('options', `-c search_path=${schemaOf(role)}`);
      database = openDatabase(url.href);
    });

    afterAll(() => database?.close());

    it('uses the rows of its own schema', async () => {
      expect(await refusal(`SELECT * FROM ${ordinaryTable}`)).toBe('done');
      expect(await refusal(`DELETE FROM ${ordinaryTable}`)).toBe('done');
      expect(await refusal('SELECT * FROM migration')).toBe('done');
    });

    it.each(serviceNames.filter((service) => service !== serviceOfRole(role)))(
      'sees nothing of the schema of %s',
      async (service) => {
        expect(await refusal(`SELECT * FROM ${service.replaceAll('-', '_')}.${ordinaryTable}`)).toBe('42501');
      },
    );

    it.each(forbiddenStatements)('may not: %s', async (statement) => {
      expect(await refusal(statement)).toBe('42501');
    });

    it('is a member of no role, and may change none', async () => {
      expect(await refusal(`SET ROLE ${new URL(product.database.url).username}`)).toBe('42501');
    });
  });

  describe.each(roleNames)('as %s at Redis', (role) => {
    let redis: RedisUser;
    const key = (...parts: string[]) => [product.prefix, ...parts].join(':');
    const refusal = (...command: string[]) =>
      redis.call(...command).then(
        () => 'done',
        (error: Error) => (error.message.startsWith('NOPERM') ? 'refused' : error.message),
      );
    const others = serviceNames.filter((service) => service !== serviceOfRole(role));

    beforeAll(() => {
      redis = connectRedisUser(product.redisUrl(role));
    });

    afterAll(() => redis?.close());

    it('is there', async () => {
      expect(await redis.call('PING')).toBe('PONG');
    });

    it.each(forbiddenCommands.map((command) => [command.join(' '), command] as const))(
      'may not: %s',
      async (_, command) => {
        expect(await refusal(...command)).toBe('refused');
      },
    );

    it('reads no requests to other services, and no events that it does not consume', async () => {
      for (const service of others) {
        expect(await refusal('XRANGE', key('rpc', service), '-', '+')).toBe('refused');
        expect(await refusal('XRANGE', key('events', service), '-', '+')).toBe('refused');
      }
    });

    it('makes requests for clients only if it is the gateway', async () => {
      for (const service of serviceNames) {
        const outcome = await refusal('XADD', key('rpc', service), 'NOMKSTREAM', '*', 'h', '{}');
        expect([service, outcome]).toEqual([service, role === 'gateway' ? 'done' : 'refused']);
      }
    });

    it('makes none in the name of another', async () => {
      for (const service of serviceNames)
        for (const other of roleNames.filter((name) => name !== role && name !== 'gateway'))
          expect(await refusal('XADD', key('rpc', service, other), 'NOMKSTREAM', '*', 'h', '{}')).toBe(
            'refused',
          );
    });

    it('adds events to the log of its own service alone', async () => {
      for (const service of others)
        expect(await refusal('XADD', key('events', service), 'NOMKSTREAM', '*', 'e', '')).toBe('refused');
      expect(await refusal('XADD', key('events', serviceOfRole(role)), 'NOMKSTREAM', '*', 'e', '')).toBe(
        'done',
      );
    });

    it('hears no answers to another', async () => {
      for (const other of roleNames.filter((name) => name !== role)) {
        for (const service of serviceNames) {
          expect(await refusal('SUBSCRIBE', key('rpc-reply', service, other, 'process'))).toBe('refused');
          expect(await refusal('GET', key('rpc-answer', service, other, 'process', 'id'))).toBe('refused');
        }
      }
    });

    it('answers for no other service', async () => {
      for (const service of others)
        for (const caller of roleNames) {
          expect(await refusal('PUBLISH', key('rpc-reply', service, caller, 'process'), '[]')).toBe(
            'refused',
          );
          expect(await refusal('SET', key('rpc-answer', service, caller, 'process', 'id'), '1')).toBe(
            'refused',
          );
        }
    });

    it('has no part in jobs and keys of another, also by a script', async () => {
      const queue = role === 'webhook-dispatcher' ? 'take-runs' : 'send-endpoint-queue';
      const foreign = [key('jobs', queue, 'wait'), ...(role === 'gateway' ? [] : [key('gateways')])];
      for (const name of foreign) {
        expect(await refusal('DEL', name)).toBe('refused');
        expect(await refusal('EVAL', 'return 1', '1', name)).toBe('refused');
        expect(await refusal('EVAL', `return redis.call('del', '${name}')`, '0')).not.toBe('done');
      }
    });

    it('tells nobody what another tells', async () => {
      const channel = key('broadcast', role === 'webhook-dispatcher' ? 'run-stopped' : 'feed-progress');
      expect(await refusal('PUBLISH', channel, '[]')).toBe('refused');
    });
  });

  it('lets workers have no answers that are kept, nor what the service consumed', async () => {
    const database = openDatabase(product.databaseUrl(runWorkers));
    for (const table of ['idempotency_record', 'event_position', 'dead_event'])
      await expect(database.query(`SELECT * FROM runs.${table}`)).rejects.toMatchObject({ code: '42501' });
    await database.close();
  });

  it('has no default user', async () => {
    const redis = connectRedisUser(product.stores.redisUrl);
    await expect(redis.call('PING')).rejects.toThrow(/WRONGPASS|NOAUTH|closed|retries/);
    redis.close();
  });

  it('takes a new password, a new table and a role that was given too much', async () => {
    const { database } = product;
    const owner = new URL(database.url).username;
    await database.query('CREATE TABLE billing.added_later (id int)');
    await database.query(`GRANT ${owner} TO aos_billing`);
    await database.query('GRANT USAGE ON SCHEMA gateway TO aos_billing');
    const before = product.databaseUrl('billing');
    product.accounts['BILLING_DATABASE_URL'] = withUser(before, 'aos_billing');
    expect((await product.provision()).code).toBe(0);
    const former = openDatabase(before);
    await expect(former.query('SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    const present = openDatabase(product.databaseUrl('billing'));
    expect(await present.query('SELECT * FROM billing.added_later')).toEqual([]);
    await database.query('CREATE TABLE billing.added_last (id int)');
    expect(await present.query('SELECT * FROM billing.added_last')).toEqual([]);
    await expect(present.query(`SET ROLE ${owner}`)).rejects.toMatchObject({ code: '42501' });
    await expect(present.query(`SELECT * FROM gateway.${ordinaryTable}`)).rejects.toMatchObject({
      code: '42501',
    });
    await Promise.all([former.close(), present.close()]);
    await database.query('DROP TABLE billing.added_later, billing.added_last');
  });

  it.each([
    [
      'a password that is short',
      { BILLING_REDIS_URL: 'redis://billing:short@127.0.0.1' },
      'BILLING_REDIS_URL: must have',
    ],
    [
      'a URL without a user',
      { RUN_WORKERS_DATABASE_URL: 'postgres://127.0.0.1/x' },
      'RUN_WORKERS_DATABASE_URL: must',
    ],
  ])('is not provisioned with %s', async (_, settings, message) => {
    const { code, output } = await product.provision(settings);
    expect([code, output]).toEqual([78, expect.stringContaining(message)]);
  });

  describe('and is started', () => {
    let admin: ApiClient;
    let team: Team;
    let receiver: WebhookReceiver;
    let server: TestMcpServer;

    beforeAll(async () => {
      await product.startAll();
      [receiver, server] = await Promise.all([
        startReceiver(),
        startMcpServer(
          {},
          { name: 'ask', call: () => ({ content: [{ type: 'text', text: 'It is Blue' }] }) },
        ),
      ]);
      admin = await connectAdmin(product);
      team = await newTeam(admin);
    });

    afterAll(() => Promise.all([receiver?.close(), server?.close()]));

    it('is ready', async () => {
      await eventually(async () => {
        const { status, body } = await admin.request('GET', '/readyz', { token: null });
        expect([status, body]).toEqual([200, expect.objectContaining({ ok: true })]);
      });
    });

    it('has a run use a connection with a secret header, tells a webhook, and counts what was used', async () => {
      await makeWebhook(team, receiver.url('/hook'), ['run.completed']);
      // Its answer is sealed on its way.
      await team.client.succeed(getWebhookSecret, { params: { teamId: team.id } });
      const body = {
        name: 'tools',
        server_url: server.url,
        headers: { authorization: 'Bearer of-the-team' },
      };
      const { id } = await team.client.succeed<{ id: string }>(createConnection, {
        params: { teamId: team.id },
        body,
      });
      const agentId = await makeAgent(team, steps('tool tools__ask {}', 'finish {{result}}'), {
        connections: [id],
      });
      await makeRun(team, agentId);
      expect(server.of('tools/call')[0]?.headers['authorization']).toBe('Bearer of-the-team');
      await eventually(() => expect(receivedAt(receiver, '/hook')).toHaveLength(1));
      await eventually(async () => {
        const rows = await product.database.query('SELECT 1 FROM billing.daily_usage WHERE team_id = $1', [
          team.id,
        ]);
        expect(rows).not.toEqual([]);
      });
    });

    it('takes a file at a link that the run service made', async () => {
      const sandboxId = await makeSandbox(team);
      const { upload_url: url } = await team.client.succeed<{ upload_url: string }>(createSandboxUploadUrl, {
        params: { id: sandboxId },
        body: { path: 'note.txt' },
      });
      const { status } = await fetch(url, { method: 'PUT', body: 'Hello' });
      expect(status).toBeLessThan(300);
    });

    it('lacks no right that it uses', () => {
      expect(product.refusals()).toEqual([]);
    });
  });
});
