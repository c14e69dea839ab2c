// A second checkout of this repository that shares the installed packages: for other versions and for planted faults.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const groups = ['apps', 'libs', 'tools'];

/** Checks a commit out into a new folder. Its packages are those of this checkout if both lock files name the same. */
export function addCheckout(commit, folder) {
  run('git', ['worktree', 'add', '--quiet', '--detach', folder, commit]);
  if (packagesOf(root) !== packagesOf(folder)) {
    run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
    return;
  }
  link(root, folder);
  mkdirSync(join(folder, 'node_modules', '@aos'));
  for (const group of groups) {
    for (const name of readdirSync(join(folder, group))) {
      if (!existsSync(join(folder, group, name, 'package.json'))) continue;
      link(join(root, group, name), join(folder, group, name));
      symlinkSync(join(folder, group, name), join(folder, 'node_modules', '@aos', name));
    }
  }
}

export function removeCheckout(folder) {
  spawnSync('git', ['worktree', 'remove', '--force', folder], { cwd: root, stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
}

/** Links all packages of a folder except those of the repository. */
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
    ([path, { link: isLink }]) => path.includes('node_modules/') && !isLink,
  );
  return JSON.stringify(installed.map(([path, { version, integrity }]) => [path, version, integrity]));
}

function run(command, args, { cwd = root } = {}) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed (${status})`);
}
