import { createHash } from 'node:crypto';
import type { ContractTable } from '@aos/contracts';
import type { Redis } from 'ioredis';
import { keysUnder, RedisConnections, type RedisSettings } from '../redis/redis-connections.js';
import { redisRules } from './redis-rules.js';

/** An account of Redis, and the role whose rights it gets. */
export interface RedisAccount {
  readonly role: string;
  readonly user: string;
  readonly password: string;
}

export interface RedisProvision {
  readonly accounts: readonly RedisAccount[];
  readonly table: ContractTable;
  /** For an installation whose processes are not all started with their accounts yet. */
  readonly keepsDefaultUser: boolean;
}

/**
 * Makes the accounts of roles, or changes them to what they are to be, on one server. Each is set by one command, with the
 * hash of its password. Tells whether the server keeps them over a restart.
 */
export async function provisionRedis(settings: RedisSettings, provision: RedisProvision): Promise<boolean> {
  const connections = new RedisConnections(settings);
  const redis = connections.connect('provision', { maxRetriesPerRequest: 1 });
  try {
    const self = String(await redis.call('ACL', 'WHOAMI'));
    const { accounts, table, keepsDefaultUser } = provision;
    refuseUsers([self, defaultUser], accounts);
    if (self === defaultUser && !keepsDefaultUser) {
      throw new Error(
        'PROVISION_REDIS_URL: names no user, and the default one is turned off; give an administrator of its own',
      );
    }
    for (const { role, user, password } of accounts) {
      const rules = redisRules(role, keysUnder(settings.prefix), table);
      await redis.call('ACL', 'SETUSER', user, 'reset', 'on', `#${hashOf(password)}`, ...rules);
    }
    if (!keepsDefaultUser) await redis.call('ACL', 'SETUSER', defaultUser, 'reset');
    return await saved(redis);
  } finally {
    connections.close();
  }
}

const defaultUser = 'default';

function refuseUsers(taken: readonly string[], accounts: readonly RedisAccount[]): void {
  for (const { role, user } of accounts) {
    if (user === '') throw new Error(`The Redis URL of ${role} names no user`);
    if (taken.includes(user)) throw new Error(`The Redis URL of ${role} names the user of another: ${user}`);
  }
}

/** Without a file of accounts they are in memory alone. */
async function saved(redis: Redis): Promise<boolean> {
  try {
    await redis.call('ACL', 'SAVE');
    return true;
  } catch (error) {
    if (String(error).includes('not configured to use an ACL file')) return false;
    throw error;
  }
}

function hashOf(password: string): string {
  return createHash('sha256').update(password, 'utf8').digest('hex');
}
