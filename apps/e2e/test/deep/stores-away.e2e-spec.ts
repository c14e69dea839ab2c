import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKey, getTeam } from '@aos/contracts';
import { startPostgres, startRedis, type EmbeddedStore } from '@aos/local-infra';
import { createWidget, eventually } from '@aos/testing';
import type { ApiAnswer, ApiClient } from '../../src/api-client.js';
import { startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newKey, newTeam, type Team } from '../../src/team.js';

const limit = 100;

const ways = {
  TCP: ({ url }: EmbeddedStore) => url,
  'a Unix socket': ({ socketUrl }: EmbeddedStore) => socketUrl!,
};

describe.each(Object.entries(ways))('when a store that is reached by %s is away', (_, wayTo) => {
  let dataDir: string;
  let postgres: EmbeddedStore;
  let redis: EmbeddedStore;
  let stack: Stack;
  let admin: ApiClient;
  let team: Team;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'aos-away-'));
    [postgres, redis] = await Promise.all([
      startPostgres({ dataDir: join(dataDir, 'postgres') }),
      startRedis({ dataDir: join(dataDir, 'redis') }),
    ]);
    stack = await startStack({
      // In one process they need no Redis to talk.
      together: false,
      stores: { databaseUrl: wayTo(postgres), redisUrl: wayTo(redis) },
      environment: { RPC_TIMEOUT_MS: '1500', RATE_LIMIT_PER_MINUTE: String(limit) },
    });
    admin = await connectAdmin(stack);
    team = await newTeam(admin);
  });

  afterAll(async () => {
    await stack?.stop();
    await Promise.all([postgres?.stop(), redis?.stop()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  const readTeam = (token = team.key): Promise<ApiAnswer> =>
    admin.call(getTeam, { token, params: { teamId: team.id } });

  function expectUnavailable({ status, body, headers }: ApiAnswer): void {
    expect([status, body]).toEqual([503, { error: 'unavailable', message: expect.any(String) }]);
    expect(headers['retry-after']).toBe('1');
  }

  async function checks(): Promise<Record<string, string>> {
    const { body } = await admin.request('GET', '/readyz', { token: null });
    return (body as { checks: Record<string, string> }).checks;
  }

  it('Redis: the gateway goes on with what is its own, limits by itself, and recovers', async () => {
    const { key } = await newKey(team);
    expect((await team.client.call(createWidget)).status).toBe(201);
    await redis.stop();

    expect((await readTeam()).status).toBe(200);
    expect((await team.client.call(createApiKey, { params: { teamId: team.id } })).status).toBe(201);
    const unanswered = await Promise.all([1, 2, 3].map(() => team.client.call(createWidget)));
    unanswered.forEach(expectUnavailable);
    expect((await admin.request('GET', '/healthz', { token: null })).status).toBe(200);

    const answers = await Promise.all(Array.from({ length: limit + 20 }, () => readTeam(key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);

    redis = await startRedis({ dataDir: join(dataDir, 'redis'), port: redis.port });
    await eventually(async () => expect((await team.client.call(createWidget)).status).toBe(201), {
      timeoutMs: 30_000,
    });
  });

  it('Postgres: 503 for everyone, also for credentials that are good, until it is back', async () => {
    const widgets = () => team.client.call(createWidget);
    expect((await readTeam()).status).toBe(200);
    expect((await widgets()).status).toBe(201);
    expect(await checks()).toMatchObject({ postgres: 'ok' });
    await postgres.stop();

    expectUnavailable(await readTeam());
    expectUnavailable(await widgets());
    expectUnavailable(await readTeam('aos_never-issued'));
    expect((await admin.request('GET', '/healthz', { token: null })).status).toBe(200);
    await eventually(async () => expect(await checks()).toMatchObject({ postgres: 'failing' }));

    postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), port: postgres.port });
    await eventually(async () => {
      expect((await readTeam()).status).toBe(200);
      expect((await widgets()).status).toBe(201);
      expect((await readTeam('aos_never-issued')).status).toBe(401);
    });
    await eventually(async () => expect(await checks()).toMatchObject({ postgres: 'ok', redis: 'ok' }));
  });
});
