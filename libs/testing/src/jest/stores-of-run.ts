import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@aos/contracts';
import { ensureProductTemplate } from '../infrastructure/product-template.js';
import { startStores } from '../infrastructure/stores.js';
import { appModule } from '../services/entries.js';
import { storesHolder } from './stores-holder.js';

/** Starts the stores that all files of a Jest run share, and puts their addresses into the environment. */
export async function startStoresOfRun(): Promise<void> {
  // In watch mode all runs use the stores of the first.
  if (storesHolder.stores) return;
  const stores = await startStores(process.env);
  process.stderr.write(`Tests use ${stores.origin}.\n`);
  process.env['TEST_DATABASE_URL'] = stores.databaseUrl;
  process.env['TEST_REDIS_URL'] = stores.redisUrl;
  process.env['TEST_FILES_DIR'] = await mkdtemp(join(tmpdir(), 'aos-test-files-'));
  storesHolder.stores = stores;
  // The tests of a library also run where no app is built.
  if (serviceNames.every((name) => existsSync(appModule(name))))
    process.env['TEST_PRODUCT_TEMPLATE'] = await ensureProductTemplate(stores.databaseUrl);
}

export async function stopStoresOfRun(): Promise<void> {
  if (process.env['TEST_WATCH']) return;
  await storesHolder.stores?.stop();
  const files = process.env['TEST_FILES_DIR'];
  if (files) await rm(files, { recursive: true, force: true });
}
