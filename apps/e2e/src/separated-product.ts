import { randomBytes } from 'node:crypto';
import {
  contractTable,
  exchangesSecrets,
  roleNames,
  runWorkers,
  serviceNames,
  serviceOfRole,
  type RoleName,
} from '@aos/contracts';
import { findFreePort } from '@aos/local-infra';
import { roleSetting } from '@aos/service';
import {
  appEntry,
  connectRedisUser,
  createTestDatabase,
  forkService,
  startEmbedded,
  startServiceProcess,
  testEnvironment,
  type EmbeddedStores,
  type ServiceProcess,
  type TestDatabase,
} from '@aos/testing';

/** Roles that make or read links. */
const withLinkKeys: readonly RoleName[] = ['gateway', 'runs'];

/** The product on servers of its own, where each role has accounts and keys of its own. */
export class SeparatedProduct {
  readonly adminKey = `aos_admin_${randomBytes(32).toString('base64url')}`;
  readonly processes = new Map<RoleName, ServiceProcess>();
  urls: readonly string[] = [];
  private readonly rpcKeys = keys('rpc');
  private readonly linkKeys = keys('link');
  /** By the name of the setting: what the program that provisions is given, and the processes of a role. */
  readonly accounts: Record<string, string>;

  private constructor(
    readonly stores: EmbeddedStores,
    readonly database: TestDatabase,
    private readonly adminUrl: string,
    private readonly common: Readonly<Record<string, string>>,
  ) {
    this.accounts = Object.fromEntries(
      roleNames.flatMap((role) => [
        [roleSetting(role, 'DATABASE_URL'), withUser(database.url, `aos_${role}`)],
        [roleSetting(role, 'REDIS_URL'), withUser(stores.redisUrl, role)],
      ]),
    );
  }

  /** Servers with the tables of all services, and an administrator of Redis beside the default user. */
  static async prepare(settings: Readonly<Record<string, string>> = {}): Promise<SeparatedProduct> {
    const stores = await startEmbedded();
    const database = await createTestDatabase([], stores.databaseUrl);
    await Promise.all(serviceNames.map((service) => migrateAs(database.url, service)));
    const adminUrl = withUser(stores.redisUrl, 'administrator');
    const redis = connectRedisUser(stores.redisUrl);
    const { password } = new URL(adminUrl);
    await redis.call('ACL', 'SETUSER', 'administrator', 'on', `>${password}`, '~*', '&*', '+@all');
    redis.close();
    const common = testEnvironment({ MIGRATE_ON_START: 'false', LOG_LEVEL: 'debug', ...settings });
    return new SeparatedProduct(stores, database, adminUrl, common);
  }

  get prefix(): string {
    return this.common['REDIS_PREFIX']!;
  }

  databaseUrl(role: RoleName): string {
    return this.accounts[roleSetting(role, 'DATABASE_URL')]!;
  }

  redisUrl(role: RoleName): string {
    return this.accounts[roleSetting(role, 'REDIS_URL')]!;
  }

  /** Runs the command of the images; gives what it printed. */
  async provision(
    settings: Readonly<Record<string, string>> = {},
  ): Promise<{ code: number | null; output: string }> {
    const environment = {
      REDIS_PREFIX: this.prefix,
      PROVISION_DATABASE_URL: this.database.url,
      PROVISION_REDIS_URL: this.adminUrl,
      ...this.accounts,
      ...settings,
    };
    const program = forkService(appEntry('billing'), environment, { argv: ['provision'] });
    return { code: await program.exited, output: program.output() };
  }

  async startAll(): Promise<void> {
    const port = await findFreePort();
    this.urls = [`http://127.0.0.1:${port}`];
    const ofGateway = { HOST: '127.0.0.1', PORT: String(port), ADMIN_KEY: this.adminKey };
    const own: Partial<Record<RoleName, Record<string, string>>> = {
      gateway: ofGateway,
      runs: { RUN_WORKERS: 'serve' },
      [runWorkers]: { RUN_WORKERS: 'work' },
    };
    await Promise.all(roleNames.map((role) => this.start(role, own[role])));
  }

  private async start(role: RoleName, own: Readonly<Record<string, string>> = {}): Promise<void> {
    const environment = {
      ...this.common,
      PUBLIC_BASE_URL: this.urls[0]!,
      DATABASE_URL: this.databaseUrl(role),
      REDIS_URL: this.redisUrl(role),
      SECRETS_KEYS: keys('own'),
      ...(exchangesSecrets(role, contractTable) ? { RPC_KEYS: this.rpcKeys } : {}),
      ...(withLinkKeys.includes(role) ? { LINK_KEYS: this.linkKeys } : {}),
      ...own,
    };
    this.processes.set(role, await startServiceProcess(appEntry(serviceOfRole(role)), environment));
  }

  /** The log lines of all processes that report a missing right. */
  refusals(): string[] {
    return [...this.processes].flatMap(([role, { output }]) =>
      output()
        .split('\n')
        .filter((line) => /NOPERM|ACL failure|permission denied|42501/.test(line))
        .map((line) => `${role}: ${line}`),
    );
  }

  async stop(): Promise<void> {
    await Promise.all([...this.processes.values()].map((process) => process.stop()));
    await this.database.drop();
    await this.stores.stop();
  }
}

/** The same server, as another user with a password of its own. */
export function withUser(text: string, user: string): string {
  const url = new URL(text);
  url.username = user;
  url.password = randomBytes(24).toString('hex');
  return url.href;
}

function keys(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

/** Runs the command of the images, which knows the database and nothing else. */
async function migrateAs(databaseUrl: string, service: string): Promise<void> {
  const program = forkService(appEntry(service), { DATABASE_URL: databaseUrl }, { argv: ['migrate'] });
  const code = await program.exited;
  if (code !== 0) throw new Error(`${service} was not migrated (${code}):\n${program.output()}`);
}
