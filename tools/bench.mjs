// `npm run bench`: installs and builds what is missing, then measures.
import { assertNodeVersion, ensureBuilt, ensureInstalled } from './setup.mjs';

assertNodeVersion();
await ensureInstalled();
await ensureBuilt();
await import('./bench/dist/index.js');
