import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asFileError, errorCode, writePrivateFile } from '@aos/local-infra';
import { secretsKeysFault } from '@aos/secrets';
import { StartError } from './start-error.js';

/** What the program needs to know and nobody must lose: without the keys, stored secrets cannot be read. */
export interface Secrets {
  secrets_keys: string;
  admin_key: string;
}

export interface Credentials {
  base_url: string;
  team_id: string;
  api_key: string;
  admin_key: string;
}

/** Reads the secrets of this data folder, and makes them on the first start. */
export function ensureSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json');
  const stored = readJson(path);
  if (stored === undefined) {
    const made: Secrets = {
      // An id of its own: values that were sealed under the keys of another folder name the key that is missing.
      secrets_keys: `k${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`,
      admin_key: `aos_admin_${randomBytes(32).toString('base64url')}`,
    };
    writePrivateFile(path, `${JSON.stringify(made, null, 2)}\n`);
    return made;
  }
  if (!hasStrings(stored, ['secrets_keys', 'admin_key']) || secretsKeysFault(stored.secrets_keys)) {
    throw damaged(path);
  }
  chmodSync(path, 0o600);
  return stored;
}

/** Undefined until the demo team has been made. */
export function readCredentials(dataDir: string): Credentials | undefined {
  const stored = readJson(credentialsPath(dataDir));
  return hasStrings(stored, ['team_id', 'api_key', 'admin_key', 'base_url']) ? stored : undefined;
}

export function writeCredentials(dataDir: string, credentials: Credentials): void {
  writePrivateFile(credentialsPath(dataDir), `${JSON.stringify(credentials, null, 2)}\n`);
}

export function credentialsPath(dataDir: string): string {
  return join(dataDir, 'credentials.json');
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw asFileError(error, path);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(path);
  }
}

/** Never made anew over a damaged one: the data would be lost with the old keys. */
function damaged(path: string): StartError {
  return new StartError([`${path} is damaged; restore it from a copy, or use another AOS_DATA_DIR`]);
}

function hasStrings<K extends string>(value: unknown, keys: readonly K[]): value is Record<K, string> {
  if (typeof value !== 'object' || value === null) return false;
  const entries = value as Record<string, unknown>;
  return keys.every((key) => typeof entries[key] === 'string' && entries[key] !== '');
}
