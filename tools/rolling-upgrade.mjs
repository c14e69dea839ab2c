// `npm run rolling-upgrade -- [ref]`: starts the product of another version (the last tag unless one is named), on the tables
// of today's, and replaces its processes by today's, one by one, under load. Needs the history of the repository.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertNodeVersion, ensureBuilt, ensureInstalled } from './setup.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const groups = ['apps', 'libs', 'tools'];
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
  run('git', ['worktree', 'add', '--quiet', '--detach', old, commit]);
  install();
  console.log(`Building ${ref}`);
  const nx = join(old, 'node_modules', '.bin', 'nx');
  run(nx, ['run-many', '-t', 'build', '--output-style=static'], { cwd: old, env: quietNx, quiet: true });
  const storm = [join(root, 'tools', 'storm.mjs'), 'rolling-restart'];
  status = run(process.execPath, storm, { env: { ROLLING_FROM: old }, mayFail: true });
} finally {
  spawnSync('git', ['worktree', 'remove', '--force', old], { cwd: root, stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);

/** The packages of this checkout where the other has the same ones, else its own. */
function install() {
  if (packagesOf(root) !== packagesOf(old)) {
    run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: old });
    return;
  }
  link(root, old);
  mkdirSync(join(old, 'node_modules', '@aos'));
  for (const group of groups) {
    for (const name of readdirSync(join(old, group))) {
      if (!existsSync(join(old, group, name, 'package.json'))) continue;
      link(join(root, group, name), join(old, group, name));
      symlinkSync(join(old, group, name), join(old, 'node_modules', '@aos', name));
    }
  }
}

/** All packages of a folder but those of the repository. */
function link(from, to) {
  if (!existsSync(join(from, 'node_modules'))) return;
  mkdirSync(join(to, 'node_modules'));
  for (const name of readdirSync(join(from, 'node_modules'))) {
    if (name === '@aos' || name === '.cache') continue;
    symlinkSync(join(from, 'node_modules', name), join(to, 'node_modules', name));
  }
}

function packagesOf(checkout) {
  const { packages } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8'));
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  return JSON.stringify(installed.map(([path, { version, integrity }]) => [path, version, integrity]));
}

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
