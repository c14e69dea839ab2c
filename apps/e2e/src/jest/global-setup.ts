import { startStoresOfRun } from '@aos/testing';
import { sharedProductVariable } from '../shared-product.js';
import { SharedProduct, sharedProductHolder } from './shared-product.js';

/** Jest calls the default export once before all files of a run. */
async function globalSetup(): Promise<void> {
  // The product runs elsewhere, on stores of its own.
  if (process.env['AOS_BASE_URL']) return;
  await startStoresOfRun();
  sharedProductHolder.product = await SharedProduct.offer();
  process.env[sharedProductVariable] = sharedProductHolder.product.url;
}

export default globalSetup;
