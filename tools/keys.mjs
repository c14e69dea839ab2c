// `npm run keys` is `npm run ops -- keys`: which keys of SECRETS_KEYS are still in use, by service and table. A key that
// is in use nowhere can be taken out. Ends with 1 if a key that is in use is missing.
import { existsSync } from 'node:fs';

// What is built is taken as it is, for tests call this while others run on it; but not if it was built before it had the
// command, since it would start this file again.
const isBuilt = ['commands/keys.js', 'bundle/ops.main.js'].every((file) =>
  existsSync(new URL(`./ops/dist/${file}`, import.meta.url)),
);
process.argv.splice(2, 0, 'keys');
await import(isBuilt ? './ops/dist/bundle/ops.main.js' : './ops.mjs');
