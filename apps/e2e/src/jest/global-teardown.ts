import { stopStoresOfRun } from '@aos/testing';
import { sharedProductHolder } from './shared-product.js';

/** Jest calls the default export once after all files of a run. */
async function globalTeardown(): Promise<void> {
  await sharedProductHolder.product?.close();
  await stopStoresOfRun();
}

export default globalTeardown;
