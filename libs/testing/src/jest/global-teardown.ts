import { storesHolder } from './stores-holder.js';

async function globalTeardown(): Promise<void> {
  await storesHolder.stores?.stop();
}

export default globalTeardown;
