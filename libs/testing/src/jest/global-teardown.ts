import { storesHolder } from './stores-holder.js';

async function globalTeardown(): Promise<void> {
  await storesHolder.stores?.stop();
}

// eslint-disable-next-line no-restricted-syntax -- Jest's interface
export default globalTeardown;
