import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { startStores } from '../infrastructure/stores.js';
import { storesHolder } from './stores-holder.js';

/** Starts what all files of a run of Jest share, and writes where it is into the environment. */
export async function startStoresOfRun(): Promise<void> {
  const stores = await startStores(process.env);
  process.stderr.write(`Tests use ${stores.origin}.\n`);
  process.env['TEST_DATABASE_URL'] = stores.databaseUrl;
  process.env['TEST_REDIS_URL'] = stores.redisUrl;
  process.env['TEST_FILES_DIR'] = await mkdtemp(join(tmpdir(), 'aos-test-files-'));
  const template = process.env['TEST_PRODUCT_TEMPLATE'] ?? (await productTemplate(stores.databaseUrl));
  if (template) process.env['TEST_PRODUCT_TEMPLATE'] = template;
  storesHolder.stores = stores;
}

export async function stopStoresOfRun(): Promise<void> {
  await storesHolder.stores?.stop();
  const files = process.env['TEST_FILES_DIR'];
  if (files) await rm(files, { recursive: true, force: true });
}

/** Only apps are tested on the whole product; a library must not need one that is built. */
async function productTemplate(databaseUrl: string): Promise<string | undefined> {
  const isApp = basename(dirname(process.cwd())) === 'apps';
  if (!isApp) return undefined;
  const { ensureProductTemplate } = await import('../infrastructure/product-template.js');
  return ensureProductTemplate(databaseUrl);
}
