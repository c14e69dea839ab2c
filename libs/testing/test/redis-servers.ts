import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort, startManagedProcess, type ManagedProcess } from '@aos/local-infra';
import { Redis } from 'ioredis';
import { eventually, selfSigned } from '../src/index.js';

const run = promisify(execFile);
export const name = 'localhost';
export const user = { name: 'services', password: 'pass/word:with@signs' };
export const sentinelPassword = 'of-the-sentinels';
export const masterName = 'aos-master';

/** A server that was made with TLS; some are not. */
export async function hasTls(program: string): Promise<boolean> {
  // One that has TLS ends because the certificate cannot be used; one that has not knows no such setting.
  const settings = ['--port', '0', '--tls-port', '1', '--tls-cert-file', '/none', '--tls-key-file', '/none'];
  const { stdout = '' } = await run(program, settings).catch((error: { stdout?: string }) => error);
  return stdout.includes('Failed to configure TLS');
}

export interface RedisFleet {
  /** Who vouches for all of them, in a file. */
  readonly ca: string;
  readonly sentinelPort: number;
  /** The port of the master, by the sentinel. */
  masterPort(): Promise<number>;
  /** Ends the master as a power cut would. */
  killMaster(): Promise<void>;
  clientOf(port: number): Redis;
  stop(): Promise<void>;
}

/** A master, a replica and a sentinel, with TLS, a user and passwords, and nothing without them. */
export async function startRedisFleet(program: string): Promise<RedisFleet> {
  const folder = await mkdtemp(join(tmpdir(), 'aos-sentinel-'));
  const { cert, key } = selfSigned(name);
  const [ca, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await writeFile(ca, cert);
  await writeFile(keyFile, key);
  const ports: number[] = [];
  for (let made = 0; made < 3; made += 1) ports.push(await findFreePort({ exclude: ports }));
  const [master, replica, sentinel] = ports as [number, number, number];
  const tls = (port: number) => `port 0
tls-port ${port}
bind 127.0.0.1
tls-cert-file ${ca}
tls-key-file ${keyFile}
tls-ca-cert-file ${ca}
tls-auth-clients no
tls-replication yes
dir ${folder}
save ""
`;
  const data = (port: number) => `${tls(port)}dbfilename dump-${port}.rdb
user default on >${sentinelPassword} ~* &* +@all
user ${user.name} on >${user.password} ~* &* +@all
masterauth "${sentinelPassword}"
repl-diskless-sync-delay 0
replica-announce-ip ${name}
`;
  const servers = new Map<number, ManagedProcess>();
  const start = async (port: number, config: string, args: string[] = []) => {
    const file = join(folder, `${port}.conf`);
    await writeFile(file, config);
    const server = startManagedProcess({
      command: program,
      args: [file, ...args],
      stopSignal: 'SIGTERM',
      stopGraceMs: 5_000,
      orphanGraceSeconds: 5,
    });
    servers.set(port, server);
  };
  const clientOf = (port: number) =>
    new Redis(port, '127.0.0.1', {
      password: sentinelPassword,
      tls: { ca: cert, servername: name },
      maxRetriesPerRequest: null,
    }).on('error', () => undefined);
  await start(master, data(master));
  await start(replica, `${data(replica)}replicaof ${name} ${master}\n`);
  const ask = async <T>(port: number, question: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = clientOf(port);
    try {
      return await question(redis);
    } finally {
      redis.disconnect();
    }
  };
  await eventually(
    () =>
      ask(replica, async (redis) => {
        if (!(await redis.info('replication')).includes('master_link_status:up'))
          throw new Error('not linked');
      }),
    { timeoutMs: 30_000 },
  );
  // By name: certificates are of names.
  const watch = `sentinel resolve-hostnames yes
sentinel announce-hostnames yes
sentinel monitor ${masterName} ${name} ${master} 1
sentinel auth-pass ${masterName} "${sentinelPassword}"
sentinel down-after-milliseconds ${masterName} 500
sentinel failover-timeout ${masterName} 5000
requirepass "${sentinelPassword}"
`;
  await start(sentinel, `${tls(sentinel)}${watch}`, ['--sentinel']);
  const masterPort = async () => {
    const found = await ask(sentinel, (redis) =>
      redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName),
    );
    return Number((found as string[])[1]);
  };
  await eventually(
    () =>
      ask(sentinel, async (redis) => {
        const replicas = (await redis.call('SENTINEL', 'REPLICAS', masterName)) as unknown[];
        if (replicas.length === 0) throw new Error('the sentinel knows no replica');
      }),
    { timeoutMs: 30_000 },
  );
  return {
    ca,
    sentinelPort: sentinel,
    masterPort,
    clientOf,
    killMaster: async () => {
      const server = servers.get(await masterPort())!;
      server.kill();
      await server.exited;
    },
    stop: async () => {
      for (const server of servers.values()) server.kill();
      await Promise.all([...servers.values()].map(({ exited }) => exited));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
