import { createConnection, probeMcpServer, updateConnection } from '@aos/contracts';
import { SealedValues } from '@aos/persistence';
import { KeyRing } from '@aos/secrets';
import {
  appEntry,
  eventually,
  startRedisMonitor,
  startServiceProcess,
  startTestClient,
  type RedisMonitor,
  type ServiceProcess,
  type TestClient,
} from '@aos/testing';
import type { StoredTokens } from '../src/connections/connection-secrets.js';
import type { ConnectionEntity } from '../src/connections/connection.entity.js';
import {
  ConnectionsClient,
  startConnections,
  startReplica,
  type ConnectionsUnderTest,
} from './connections-under-test.js';

const given = { key: 'api-key-that-nobody-may-read', header: 'header-that-nobody-may-read' };

describe('the secrets of connections', () => {
  let under: ConnectionsUnderTest;
  let team: ConnectionsClient;
  let client: TestClient;
  let logging: ServiceProcess;
  let monitor: RedisMonitor;

  beforeAll(async () => {
    under = await startConnections({ environment: { LOG_LEVEL: 'trace' } });
    await under.running.close();
    // A process of its own, all of whose output is seen.
    logging = await startServiceProcess(appEntry('connections'), under.environment);
    client = startTestClient(under.environment);
    team = new ConnectionsClient(client.services, under.provider);
    monitor = await startRedisMonitor(under.environment['REDIS_URL']!);
  });

  afterAll(async () => {
    monitor?.stop();
    client?.close();
    await logging?.stop();
    await under?.stop();
  });

  it('are in no table, no log line, no command to Redis and no answer', async () => {
    const { provider } = under;
    const answers: string[] = [];
    const server_url = 'https://mcp.example.com/mcp';
    const key = 'once';
    const body = { name: 'n', server_url, api_key: given.key };
    answers.push((await team.call(createConnection, { body, key })).text);
    const second = { name: 'n', server_url, headers: { 'X-Key': given.header } };
    const made = await team.call(createConnection, { body: second });
    answers.push(made.text);
    const params = { connection_id: made.body.id };
    answers.push(
      (await team.call(updateConnection, { params, body: { headers: { 'X-Key': given.header } } })).text,
    );
    const probe = { server_url: 'http://127.0.0.1:59999/', api_key: given.key };
    answers.push((await team.call(probeMcpServer, { body: probe, key: 'probe' })).text);
    const started = await team.start();
    const redirected = await provider.consent(started.authorization_url);
    const code = redirected.searchParams.get('code')!;
    const { text } = await team.finishWith(redirected);
    answers.push(text);
    const [row] = (await under.database.query('SELECT * FROM connections.connection WHERE id = $1', [
      started.connection_id,
    ])) as [ConnectionEntity];
    const keyRing = KeyRing.parse(under.environment['SECRETS_KEYS']!);
    const opened = keyRing.open(row.sealed_tokens!, `connection:sealed_tokens:${row.id}`);
    const tokens = JSON.parse(opened) as StoredTokens;
    expect(await team.token(row.id)).toBe(tokens.access_token);
    provider.mood = 'unavailable';
    // A refresh that fails is told in the log.
    await under.database.query(
      `UPDATE connections.connection SET token_obtained_at = now() - interval '1 hour' WHERE id = $1`,
      [row.id],
    );
    await team.report(row.id, row.credentials_version, { kind: 'unauthorized' });
    await eventually(() => expect(logging.output()).toContain(row.id));
    const secrets = [
      given.key,
      given.header,
      tokens.access_token,
      tokens.refresh_token!,
      provider.clientSecret,
      started.state,
      code,
    ];
    const places = {
      tables: await everyRow(),
      log: logging.output(),
      commands: monitor.commands.map((command) => command.join(' ')).join('\n'),
      answers: answers.join('\n'),
    };
    for (const [place, content] of Object.entries(places)) {
      expect([place, secrets.filter((secret) => content.includes(secret))]).toEqual([place, []]);
    }
    // The search finds what is there.
    expect(places.tables).toContain(row.id);
    expect(places.commands).toContain('rpc');
  });

  async function everyRow(): Promise<string> {
    const tables = await under.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'connections'`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const rows = await under.database.query(
        `SELECT row_to_json(t)::text AS row FROM connections.${name} AS t`,
      );
      texts.push(JSON.stringify(rows));
    }
    return texts.join('\n');
  }

  it('are sealed again under a new key', async () => {
    const keys = under.environment['SECRETS_KEYS']!;
    const fresh = `fresh:${Buffer.alloc(32, 7).toString('base64')}`;
    await team.start();
    const replica = await startReplica({ ...under.environment, SECRETS_KEYS: `${fresh},${keys}` });
    try {
      const values = replica.app.get(SealedValues);
      await values.reseal();
      const inUse = (await values.keysInUse()).filter(({ table }) => table !== 'idempotency_record');
      expect(new Set(inUse.map(({ table, column }) => `${table}.${column}`))).toEqual(
        new Set(['connection.sealed_headers', 'connection.sealed_tokens', 'oauth_flow.sealed_verifier']),
      );
      expect(new Set(inUse.map(({ keyId }) => keyId))).toEqual(new Set(['fresh']));
    } finally {
      await replica.close();
    }
  });
});
