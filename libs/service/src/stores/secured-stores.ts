import { withUrlParameter } from '@aos/persistence';
import type { Environment } from '@aos/platform';

/**
 * Lists problems of the connections to the stores in production. Requests and their callers travel over Redis as they are:
 * a client that can write there is an administrator, so that one without a password must be meant.
 */
export function storeProblems(environment: Environment): string[] {
  const { NODE_ENV: mode = 'production', REDIS_URL: url = '' } = environment;
  if (mode !== 'production' || environment['REDIS_ALLOW_NO_PASSWORD'] === 'true') return [];
  if (!URL.canParse(url) || new URL(url).password !== '') return [];
  return [
    'REDIS_URL: has no password, and whoever can write to Redis is an administrator; ' +
      'set one, or REDIS_ALLOW_NO_PASSWORD=true where only the services reach it',
  ];
}

/** The address of the database with the authority that vouches for it; the server's name is checked too. */
export function withAuthority(databaseUrl: string, certificateFile: string | undefined): string {
  if (certificateFile === undefined) return databaseUrl;
  const vouchedFor = withUrlParameter(databaseUrl, 'sslrootcert', certificateFile);
  return withUrlParameter(vouchedFor, 'sslmode', 'verify-full');
}
