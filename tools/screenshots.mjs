// `npm run screenshots [folder]`: pictures of each page of the console, from a product with something to see.
import { assertNodeVersion, ensureBuilt, ensureInstalled } from './setup.mjs';

assertNodeVersion();
await ensureInstalled();
await ensureBuilt();
await import('../apps/e2e/dist/screenshots/index.js');
