import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStores } from '../infrastructure/stores.js';
import { storesHolder } from './stores-holder.js';

/** Jest calls the default export once before all files of a run. */
async function globalSetup(): Promise<void> {
  const stores = await startStores(process.env);
  process.stderr.write(`Tests use ${stores.origin}.\n`);
  process.env['TEST_DATABASE_URL'] = stores.databaseUrl;
  process.env['TEST_REDIS_URL'] = stores.redisUrl;
  process.env['TEST_FILES_DIR'] = await mkdtemp(join(tmpdir(), 'aos-test-files-'));
  storesHolder.stores = stores;
}

export default globalSetup;
