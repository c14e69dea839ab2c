// `npm run conformance`: the official MCP conformance suite, against this product.
import { assertNodeVersion, ensureBuilt, ensureInstalled } from './setup.mjs';

assertNodeVersion();
await ensureInstalled();
await ensureBuilt();
await import('../apps/e2e/dist/conformance/index.js');
