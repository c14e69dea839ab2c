// `npm start`: installs and builds what is missing, then runs the whole program in this very process, so that
// nothing stands between the person who stops it and the launcher that stops the rest.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertNodeVersion, ensureBuilt, ensureInstalled, SetupError } from './setup.mjs';

const unknown = process.argv.slice(2).filter((argument) => argument !== '--together');
if (unknown.length > 0) {
  console.error(
    `Cannot start: ${unknown.join(' ')} is not known. The only option is --together; settings are read from the environment`,
  );
  process.exit(1);
}
const env = { ...process.env, ...(process.argv.includes('--together') ? { TOGETHER: 'true' } : {}) };

try {
  assertNodeVersion();
  await ensureInstalled({ for: 'start' });
  await ensureBuilt({ for: env.TOGETHER?.toLowerCase() === 'true' ? 'together' : 'start' });
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`Cannot start: ${error.message}`);
  process.exit(1);
}

const { launch } = await import('./launcher/dist/index.js');
process.exit(await launch({ root: dirname(dirname(fileURLToPath(import.meta.url))), env }));
