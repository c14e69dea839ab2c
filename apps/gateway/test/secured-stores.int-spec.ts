import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, selfSigned } from '@aos/testing';
import { Redis } from 'ioredis';
import { startGatewayInProcess, type GatewayInProcess } from './gateway-in-process.js';
import { tlsInFront, type TlsInFront } from './tls-in-front.js';

const name = 'localhost';
const user = { name: 'gateway-of-test', password: 'pass/word:with@signs' };

describe('stores that want TLS, a user and a password', () => {
  let folder: string;
  let ca: string;
  let administrator: Redis;
  let plain: GatewayInProcess;
  let redis: TlsInFront;
  let postgres: TlsInFront;
  let secured: GatewayInProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aos-ca-'));
    ca = join(folder, 'ca.pem');
    const certificate = selfSigned(name);
    await writeFile(ca, certificate.cert);
    plain = await startGatewayInProcess();
    const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = plain.environment;
    administrator = new Redis(redisUrl!);
    await administrator.call('ACL', 'SETUSER', user.name, 'on', `>${user.password}`, '~*', '&*', '+@all');
    redis = await tlsInFront(redisUrl!, certificate);
    postgres = await tlsInFront(databaseUrl!, certificate);
    secured = await plain.another({
      NODE_ENV: 'production',
      REDIS_URL: `rediss://${user.name}:${encodeURIComponent(user.password)}@${name}:${redis.port}`,
      REDIS_TLS_CA: ca,
      DATABASE_URL: at(databaseUrl!, postgres.port),
      DATABASE_TLS_CA: ca,
    });
  });

  afterAll(async () => {
    await secured?.stop();
    await redis?.close();
    await postgres?.close();
    await administrator?.call('ACL', 'DELUSER', user.name);
    administrator?.disconnect();
    await plain?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function at(url: string, port: number): string {
    const moved = new URL(url);
    moved.hostname = name;
    moved.port = String(port);
    return moved.toString();
  }

  it('are reached so by every connection', async () => {
    const team = await secured.newTeam();
    expect((await secured.call(`/v2/teams/${team.id}`, { key: team.key })).status).toBe(200);
    expect(postgres.secured()).toBeGreaterThan(0);
    await eventually(async () => {
      const clients = ((await administrator.call('CLIENT', 'LIST')) as string).split('\n');
      const ours = clients.filter((line) => line.includes(`user=${user.name} `));
      expect(ours.length).toBe(redis.secured());
      expect(ours.length).toBeGreaterThan(3);
    });
  });

  it('are not reached with another password, or where nobody vouches for them', async () => {
    const settings = { lazyConnect: true, retryStrategy: () => null };
    const url = `rediss://${user.name}:wrong@${name}:${redis.port}`;
    const stranger = new Redis(url, { ...settings, tls: {} });
    await expect(stranger.connect()).rejects.toThrow();
    stranger.disconnect();
    const refused = await plain
      .another({
        DATABASE_URL: `${at(plain.environment['DATABASE_URL']!, postgres.port)}?sslmode=verify-full`,
      })
      .then(
        () => 'it started',
        (error: Error) => error.message,
      );
    expect(refused).toMatch(/self-signed certificate/);
  });
});
