import { readFileSync } from 'node:fs';
import { contractTable, serviceOfRole, type ContractTable } from '@aos/contracts';
import { provisionRedis } from '@aos/messaging';
import { provisionDatabase, schemaOf } from '@aos/persistence';
import { createLogger, type Environment } from '@aos/platform';
import { tablesForRequests } from '../foundation/foundation.js';
import { withAuthority } from '../stores/secured-stores.js';
import { accountsIn, loadProvisionConfig, type ProvisionConfig } from './provision-config.js';

/**
 * Gives each role of the product its accounts at Postgres and Redis, by the URLs that its processes will use. Saying it again
 * changes nothing; with another password in a URL it rotates that password.
 */
export async function provision(
  environment: Environment,
  table: ContractTable = contractTable,
): Promise<void> {
  const config = loadProvisionConfig(environment);
  const logger = createLogger({ service: 'provision', level: config.LOG_LEVEL });
  const databaseRoles = await provisionDatabaseRoles(config);
  if (databaseRoles.length > 0) logger.info({ roles: databaseRoles }, 'provisioned the roles of Postgres');
  const accounts = accountsIn(config, 'REDIS_URL');
  refuseSharing(accounts);
  for (const url of config.PROVISION_REDIS_URL) {
    const ca = config.REDIS_TLS_CA && readFileSync(config.REDIS_TLS_CA, 'utf8');
    const settings = { url, ca, prefix: config.REDIS_PREFIX };
    const keepsDefaultUser = config.PROVISION_KEEP_DEFAULT_USER;
    const isSaved = await provisionRedis(settings, { accounts, table, keepsDefaultUser });
    const roles = accounts.map(({ role }) => role);
    logger.info({ host: new URL(url).host, roles }, 'provisioned the users of Redis');
    if (!isSaved)
      logger.warn('Redis has no ACL file and forgets its users when it restarts; provision again then');
  }
  await logger.flush();
}

async function provisionDatabaseRoles(config: ProvisionConfig): Promise<string[]> {
  const { PROVISION_DATABASE_URL: url, DATABASE_TLS_CA: ca } = config;
  if (url === undefined) return [];
  const accounts = accountsIn(config, 'DATABASE_URL');
  refuseSharing(accounts);
  await provisionDatabase(
    withAuthority(url, ca),
    accounts.map(({ role, user, password }) => {
      const service = serviceOfRole(role);
      const withheldTables = service === role ? [] : tablesForRequests;
      return { user, password, schema: schemaOf(service), withheldTables };
    }),
  );
  return accounts.map(({ role }) => role);
}

/** Two roles with one account would have the rights of the one that is provisioned last. */
function refuseSharing(accounts: readonly { readonly role: string; readonly user: string }[]): void {
  for (const [at, { role, user }] of accounts.entries()) {
    const other = accounts.slice(0, at).find((account) => account.user === user);
    if (other) throw new Error(`The URLs of ${other.role} and ${role} name the same user, ${user}`);
  }
}
