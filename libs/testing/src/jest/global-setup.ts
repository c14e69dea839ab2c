import { startStores } from '../infrastructure/stores.js';
import { storesHolder } from './stores-holder.js';

/** Jest calls the default export once before all files of a run. */
async function globalSetup(): Promise<void> {
  const stores = await startStores(process.env);
  process.stderr.write(`Tests use ${stores.origin}.\n`);
  process.env['TEST_DATABASE_URL'] = stores.databaseUrl;
  process.env['TEST_REDIS_URL'] = stores.redisUrl;
  storesHolder.stores = stores;
}

export default globalSetup;
