// `npm run affected -- [targets] [--base main] [--list]`: runs targets of the projects that a change touches, and of those
// that build on them. The change is what differs from the base, committed or not. `--list` only names the projects.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { assertNodeVersion, ensureInstalled } from './setup.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const known = ['build', 'lint', 'typecheck', 'test', 'integration', 'e2e'];
/** The end-to-end tests build on everything, and take as long as all others. */
const usual = known.filter((target) => target !== 'e2e');

const { values, positionals } = parseArgs({
  options: { base: { type: 'string', default: 'main' }, list: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((target) => !known.includes(target));
if (unknown.length > 0) {
  console.error(`There is no target ${unknown.join(', ')}: ${known.join(', ')}`);
  process.exit(1);
}
assertNodeVersion();
await ensureInstalled({ say: console.error });
const targets = positionals.length > 0 ? positionals : usual;
const args = values.list
  ? ['show', 'projects', '--affected', `--base=${values.base}`]
  : // One after the other: integration tests have databases and processes of their own.
    ['affected', '-t', ...targets, `--base=${values.base}`, '--output-style=static', '--parallel=1'];
// No daemon: it would stay behind.
const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' };
const nx = join(root, 'node_modules', '.bin', 'nx');
const { status } = spawnSync(nx, args, { cwd: root, env, stdio: 'inherit' });
process.exit(status ?? 1);
