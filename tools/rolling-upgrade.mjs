// `npm run rolling-upgrade -- [ref]`: starts the product of another version (the last tag unless one is named), on the tables
// of today's, and replaces its processes by today's, one by one, under load. Needs the history of the repository.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addCheckout, removeCheckout } from './checkout.mjs';
import { assertNodeVersion, ensureBuilt, ensureInstalled } from './setup.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const quietNx = { NX_DAEMON: 'false', NX_TUI: 'false' };

assertNodeVersion();
await ensureInstalled();
await ensureBuilt();
const ref = process.argv[2] ?? output('git', ['describe', '--tags', '--abbrev=0']);
const commit = output('git', ['rev-parse', '--verify', `${ref}^{commit}`]);
const folder = mkdtempSync(join(tmpdir(), 'aos-upgrade-'));
const old = join(folder, 'checkout');
let status = 1;
try {
  addCheckout(commit, old);
  console.log(`Building ${ref}`);
  const nx = join(old, 'node_modules', '.bin', 'nx');
  run(nx, ['run-many', '-t', 'build', '--output-style=static'], { cwd: old, env: quietNx, quiet: true });
  const storm = [join(root, 'tools', 'test.mjs'), '--storm', 'rolling-restart'];
  status = run(process.execPath, storm, { env: { ROLLING_FROM: old }, mayFail: true });
} finally {
  removeCheckout(old);
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);

function run(command, args, { cwd = root, env = {}, quiet = false, mayFail = false } = {}) {
  const stdio = quiet ? ['ignore', 'ignore', 'inherit'] : ['ignore', 'inherit', 'inherit'];
  const { status: code } = spawnSync(command, args, { cwd, env: { ...process.env, ...env }, stdio });
  if (code !== 0 && !mayFail) throw new Error(`${command} ${args[0]} failed (${code})`);
  return code ?? 1;
}

function output(command, args) {
  const { status: code, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (code === 0) return stdout.trim();
  console.error(`Name a version: ${stderr.trim()}`);
  process.exit(1);
}
