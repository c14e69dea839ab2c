import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { KeyRing } from '@aos/secrets';
import { appEntry, eventually, startServiceProcess } from '@aos/testing';
import { startGatewayInProcess, type GatewayInProcess, type TeamAtGateway } from '../gateway-in-process.js';

const command = fileURLToPath(new URL('../../../../tools/keys.mjs', import.meta.url));
const [old, fresh, foreign] = ['old', 'fresh', 'foreign'].map(
  (id) => `${id}:${randomBytes(32).toString('base64')}`,
) as [string, string, string];

interface KeyInUse {
  readonly service: string;
  readonly table: string;
  readonly key_id: string;
  readonly state: string;
}

describe('a key that seals and is to be retired', () => {
  let first: GatewayInProcess;
  let team: TeamAtGateway;
  let token: string;
  let clientForm: Record<string, string>;
  let issued: string;

  beforeAll(async () => {
    first = await startGatewayInProcess({ SECRETS_KEYS: old });
    team = await first.newTeam();
    issued = await makeKey(first);
    const { body } = await first.call<{ oauth_client: { client_id: string; client_secret: string } }>(
      `/v2/teams/${team.id}/oauth-clients`,
      { key: team.key, body: {} },
    );
    const { client_id, client_secret } = body.oauth_client;
    clientForm = { grant_type: 'client_credentials', client_id, client_secret };
    const answer = await askForToken(first.url);
    token = ((await answer.json()) as { access_token: string }).access_token;
  });

  afterAll(async () => {
    await first?.stop();
  });

  async function makeKey(gateway: Pick<GatewayInProcess, 'call'>): Promise<string> {
    const { body } = await gateway.call<{ api_key: { key: string } }>(`/v2/teams/${team.id}/api-keys`, {
      key: team.key,
      body: {},
      headers: { 'idempotency-key': 'kept' },
    });
    return body.api_key.key;
  }

  function askForToken(url: string): Promise<Response> {
    return fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(clientForm) });
  }

  async function tokenStatus(url: string): Promise<number> {
    const answer = await fetch(`${url}/v2/teams/${team.id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await answer.body?.cancel();
    return answer.status;
  }

  /** What `npm run keys` tells of the gateway. */
  async function keys(secretsKeys: string): Promise<{ code: number; states: string[][] }> {
    const environment = { DATABASE_URL: first.database.url, SECRETS_KEYS: secretsKeys };
    const ran = await promisify(execFile)(process.execPath, [command, '--json'], {
      env: { PATH: process.env['PATH'], ...environment },
    }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => error,
    );
    const rows = (JSON.parse(ran.stdout) as KeyInUse[]).filter(({ service }) => service === 'gateway');
    return { code: ran.code, states: rows.map(({ table, key_id, state }) => [table, key_id, state]) };
  }

  it('is named with what it seals, and whether it is there', async () => {
    expect(await keys(`${fresh},${old}`)).toEqual({
      code: 0,
      states: [
        ['idempotency_record', 'old', 'old'],
        ['signing_key', 'old', 'old'],
      ],
    });
    expect(await keys(fresh)).toMatchObject({
      code: 1,
      states: [
        ['idempotency_record', 'old', 'MISSING'],
        ['signing_key', 'old', 'MISSING'],
      ],
    });
  });

  it('is missed with a clear word: tokens are still taken, none is issued', async () => {
    const environment = { ...first.environment, SECRETS_KEYS: foreign, LOG_LEVEL: 'error' };
    const port = await findFreePort();
    const gateway = await startServiceProcess(appEntry('gateway'), { ...environment, PORT: String(port) });
    try {
      const url = `http://127.0.0.1:${port}`;
      await eventually(() => {
        for (const table of ['idempotency_record', 'signing_key']) {
          expect(lines(gateway.output())).toContainEqual(
            expect.objectContaining({ level: 'error', table, key_id: 'old' }),
          );
        }
      });
      for (const _ of [1, 2, 3]) {
        const answer = await askForToken(url);
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
        expect(await answer.json()).toEqual({
          error: 'unavailable',
          message: 'Access tokens cannot be issued at the moment.',
        });
      }
      await eventually(() => {
        const told = lines(gateway.output()).filter(({ msg }) => msg.startsWith('no access token'));
        expect(told).toEqual([expect.objectContaining({ level: 'error', key_id: 'old' })]);
      });
      expect(gateway.output()).not.toContain(foreign.split(':')[1]);
    } finally {
      await gateway.stop();
    }
  });

  it('can be taken out once what it sealed was sealed again, and nothing is lost', async () => {
    const second = await first.another({ SECRETS_KEYS: `${fresh},${old}` });
    try {
      await eventually(async () =>
        expect((await keys(`${fresh},${old}`)).states).toEqual([
          ['idempotency_record', 'fresh', 'current'],
          ['signing_key', 'fresh', 'current'],
        ]),
      );
    } finally {
      await second.stop();
    }
    const third = await first.another({ SECRETS_KEYS: fresh });
    try {
      expect(await keys(fresh)).toMatchObject({ code: 0 });
      expect(await makeKey(third)).toBe(issued);
      expect((await askForToken(third.url)).status).toBe(200);
    } finally {
      await third.stop();
    }
  });

  it('is not held up by a value that does not open, nor by many that do', async () => {
    const ring = KeyRing.parse(old);
    const scopes = Array.from({ length: 250 }, (_, index) => `many-${String(index).padStart(3, '0')}`);
    const bodies = scopes.map((scope) => ring.seal('{}', `idempotency:${scope}`));
    // In the middle, and of another place.
    bodies[120] = bodies[121]!;
    await first.database.query(
      `INSERT INTO gateway.idempotency_record (scope, operation_id, fingerprint, status, body, expires_at)
       SELECT scope, 'createApiKey', '', 201, body, now() + interval '1 hour'
         FROM unnest($1::text[], $2::text[]) AS given (scope, body)`,
      [scopes, bodies],
    );
    const gateway = await first.another({ SECRETS_KEYS: `${fresh},${old}` });
    try {
      await eventually(async () => {
        const left = await first.database.query<{ scope: string }>(
          `SELECT scope FROM gateway.idempotency_record WHERE body LIKE 'v1.old.%'`,
        );
        expect(left).toEqual([{ scope: scopes[120] }]);
      });
      const [moved] = await first.database.query<{ body: string }>(
        'SELECT body FROM gateway.idempotency_record WHERE scope = $1',
        [scopes[249]],
      );
      expect(KeyRing.parse(fresh).open(moved!.body, `idempotency:${scopes[249]!}`)).toBe('{}');
    } finally {
      await gateway.stop();
    }
  });

  it('tokens that were issued under it are good for their hour', async () => {
    const gateway = await first.another({ SECRETS_KEYS: foreign });
    try {
      expect(await tokenStatus(gateway.url)).toBe(200);
    } finally {
      await gateway.stop();
    }
  });
});

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function lines(output: string): { level: string; msg: string; key_id?: string }[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: string; msg: string });
}
