// `npm run recount -- 2026-07-01 2026-07-31`: counts the usage of chosen days again from their records, and mends sums that
// differ. Takes the environment of the service billing, else what `npm start` keeps in AOS_DATA_DIR. It may run beside the
// services. Ends with 1 if the records of a day are not complete any more; then nothing is changed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertNodeVersion, ensureBuilt, ensureInstalled } from './setup.mjs';

const dataDir = process.env.AOS_DATA_DIR ?? '.data';
const { database_url: databaseUrl, redis_url: redisUrl } = stored('processes.json');
const { secrets_keys: secretsKeys } = stored('secrets.json');
const known = {
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  SECRETS_KEYS: secretsKeys,
  // As `npm start` says it for the stores that it starts itself.
  REDIS_ALLOW_NO_PASSWORD: redisUrl && 'true',
};

const entry = fileURLToPath(new URL('../apps/billing/dist/bundle/recount.main.js', import.meta.url));
// What is built is taken as it is, for tests call this while others run on it.
if (!existsSync(entry)) {
  assertNodeVersion();
  await ensureInstalled({ for: 'start', say: console.error });
  await ensureBuilt({ for: 'recount', say: console.error });
}
const child = spawn(process.execPath, [entry, ...process.argv.slice(2)], {
  env: { ...known, ...process.env },
  stdio: 'inherit',
});
child.once('close', (code) => (process.exitCode = code ?? 1));

function stored(file) {
  try {
    return JSON.parse(readFileSync(join(dataDir, file), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}
