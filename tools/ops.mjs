// `npm run ops -- <command>`: for who runs the product. Without a command it lists what there is. Takes the environment of
// the services (DATABASE_URL, REDIS_URL, SECRETS_KEYS …), else what `npm start` keeps in AOS_DATA_DIR.
import { assertNodeVersion, ensureBuilt, ensureInstalled } from './setup.mjs';

assertNodeVersion();
// What a command prints may be read by a program.
await ensureInstalled({ for: 'start', say: console.error });
await ensureBuilt({ for: 'ops', say: console.error });
await import('./ops/dist/bundle/ops.main.js');
