import { roleNames, type RoleName } from '@aos/contracts';
import { parseDatabaseUrl } from '@aos/persistence';
import { booleanText, commaList, loadConfig, urlOf, type Environment } from '@aos/platform';
import { z } from 'zod';
import { serviceConfigSchema } from '../service-config.js';
import { databaseUrl } from '../stores/store-schemas.js';

/** The user and password that a URL of a store has. */
interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Long enough not to be guessed: accounts are reached by every process of the network. */
const minPasswordLength = 16;
const withCredentials = 'must have a user, and a password of 16 characters or more';

const accountUrls = {
  DATABASE_URL: databaseUrl.refine((url) => areGiven(databaseCredentials(url)), withCredentials).optional(),
  REDIS_URL: urlOf('redis', 'rediss')
    .refine((url) => areGiven(credentialsOf(url)), withCredentials)
    .optional(),
};

/** `RUN_WORKERS_DATABASE_URL`: the URL that the processes of a role are started with as DATABASE_URL. */
export function roleSetting(role: RoleName, setting: keyof typeof accountUrls): string {
  return `${role.replaceAll('-', '_').toUpperCase()}_${setting}`;
}

const commonSchema = serviceConfigSchema
  .pick({ LOG_LEVEL: true, DATABASE_TLS_CA: true, REDIS_TLS_CA: true, REDIS_PREFIX: true })
  .extend({
    /** The owner of the schemas, who migrates them. */
    PROVISION_DATABASE_URL: databaseUrl.optional(),
    /** An administrator of Redis; several servers are told one after the other, since none tells its replicas. */
    PROVISION_REDIS_URL: commaList.pipe(z.array(urlOf('redis', 'rediss'))).default([]),
    /** On while processes still use the default user. */
    PROVISION_KEEP_DEFAULT_USER: booleanText.default(false),
  });

export type ProvisionConfig = z.output<typeof commonSchema>;

const roleSettings = roleNames.flatMap((role) =>
  (['DATABASE_URL', 'REDIS_URL'] as const).map(
    (name) => [roleSetting(role, name), accountUrls[name]] as const,
  ),
);

/** Names only: the URL of each role beside the common settings. */
export const provisionSchema: z.ZodType<ProvisionConfig> = commonSchema.extend(
  Object.fromEntries(roleSettings),
) as never;

export function loadProvisionConfig(environment: Environment): ProvisionConfig {
  return loadConfig(provisionSchema, environment, 'provision');
}

/** The accounts that the settings name, by role. */
export function accountsIn(
  config: ProvisionConfig,
  setting: keyof typeof accountUrls,
): (Credentials & { readonly role: RoleName })[] {
  const read = setting === 'DATABASE_URL' ? databaseCredentials : credentialsOf;
  return roleNames.flatMap((role) => {
    const url = (config as object as Readonly<Record<string, unknown>>)[roleSetting(role, setting)];
    return typeof url === 'string' ? [{ role, ...read(url) }] : [];
  });
}

/** A database may have several hosts, which no URL has. */
function databaseCredentials(url: string): Credentials {
  const address = parseDatabaseUrl(url);
  return address ? credentialsOf(address.urlOf(address.hosts[0]!)) : { user: '', password: '' };
}

function credentialsOf(url: string): Credentials {
  const { username, password } = new URL(url);
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
}

function areGiven({ user, password }: Credentials): boolean {
  return user !== '' && password.length >= minPasswordLength;
}
