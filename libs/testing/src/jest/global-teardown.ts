import { rm } from 'node:fs/promises';
import { storesHolder } from './stores-holder.js';

async function globalTeardown(): Promise<void> {
  await storesHolder.stores?.stop();
  const files = process.env['TEST_FILES_DIR'];
  if (files) await rm(files, { recursive: true, force: true });
}

export default globalTeardown;
