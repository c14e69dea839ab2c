// Makes a clone ready to run: what `npm start` and `npm test` do before anything else. Needs nothing but Node.
// `start` installs and builds what runs; `test`, which is taken if no purpose is named, everything.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { planTasks } from './build/plan.mjs';
import { readProjects } from './build/projects.mjs';
import { Stamps } from './build/stamps.mjs';
import { readIfPresent, remember, root, SetupError } from './setup/files.mjs';
import { oneAtATime } from './setup/one-at-a-time.mjs';
import { arePart, arePresent } from './setup/packages.mjs';

export { SetupError };

const oldestNode = [20, 19];
const lockFile = join(root, 'package-lock.json');
/** npm writes this file at the end of an installation. */
const installedFile = join(root, 'node_modules', '.package-lock.json');
const noteFile = join(root, 'node_modules', '.aos-installed');
/** Exists while npm runs. After an interrupted installation packages may lack files. */
const unfinishedFile = join(root, '.nx', 'unfinished-installation');

export function assertNodeVersion(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  const [needMajor, needMinor] = oldestNode;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return;
  throw new SetupError(`Node ${oldestNode.join('.')} or newer is needed; this is Node ${version}`);
}

/** Installs what the lock file names for the purpose, `start` or `test`, unless that is in place. */
export async function ensureInstalled({ for: purpose = 'test', say = console.log } = {}) {
  if (isInstalled(purpose)) return;
  await oneAtATime(say, async () => {
    if (isInstalled(purpose)) return;
    await install(purpose, say);
    remember(noteFile, `${installedState()} ${purpose}`);
  });
}

/** Builds what the purpose needs (tools/build/plan.mjs) and what has changed since it was built. */
export async function ensureBuilt({ for: purpose = 'test', say = console.log } = {}) {
  if (isBuilt(purpose)) return;
  await oneAtATime(say, async () => {
    if (isBuilt(purpose)) return;
    say('Building');
    // A process of its own, which gives its memory back.
    await run([process.execPath, join(root, 'tools', 'build.mjs'), `--for=${purpose}`], {
      what: 'the build',
    });
  });
}

function isBuilt(purpose) {
  const projects = readProjects(root);
  const stamps = new Stamps(projects);
  return planTasks(projects, purpose).every((task) => stamps.isFresh(task));
}

/** The list that npm keeps of the folder decides, since users may have run npm themselves. It is read again when it changed. */
function isInstalled(purpose) {
  if (!existsSync(installedFile) || isUnfinished()) return false;
  const state = installedState();
  const note = readIfPresent(noteFile);
  if (note === `${state} test` || note === `${state} ${purpose}`) return true;
  if (!arePresent(packagesIn(lockFile), packagesIn(installedFile), purpose)) return false;
  remember(noteFile, `${state} ${purpose}`);
  return true;
}

/** Identifies the lock file and the last installation. */
function installedState() {
  return `${createHash('sha256').update(readFileSync(lockFile)).digest('hex')} ${timeOf(installedFile)}`;
}

function isUnfinished() {
  return existsSync(unfinishedFile) && timeOf(unfinishedFile) >= timeOf(installedFile);
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function packagesIn(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

async function install(purpose, say) {
  const isAddition =
    existsSync(installedFile) && !isUnfinished() && arePart(packagesIn(installedFile), packagesIn(lockFile));
  mkdirSync(dirname(unfinishedFile), { recursive: true });
  writeFileSync(unfinishedFile, '');
  // Tests and checks need the development packages, also where NODE_ENV says production.
  const flags = [purpose === 'start' ? '--omit=dev' : '--include=dev', '--no-audit', '--no-fund'];
  if (isAddition) {
    say('Installing the packages that are missing (npm install)');
    await npm(['install', '--no-save', '--prefer-offline', ...flags]).catch((error) => {
      // npm rolls its additions back unless it was killed, so the installation is as before.
      if (!error.signal) rmSync(unfinishedFile, { force: true });
      throw error;
    });
  } else {
    say('Installing packages (npm ci); the first time this takes up to a minute');
    // The lock file has versions and checksums but no addresses. Without --prefer-offline npm fetches the description of each
    // package again. A cache may be older than the lock file, so a failure is tried again without it.
    await npm(['ci', '--prefer-offline', ...flags], { quiet: true })
      .catch(() => npm(['ci', ...flags], { quiet: true }))
      .catch(() => {
        // npm ci refuses a lock file that lacks a package of another platform; npm install looks it up.
        say('npm ci did not work; trying npm install');
        return npm(['install', '--no-save', ...flags]);
      });
  }
  rmSync(unfinishedFile, { force: true });
}

function npm(args, { quiet = false } = {}) {
  // Set when npm started us; then the same npm is used, whatever the PATH says.
  const { npm_execpath: file } = process.env;
  const command = file?.endsWith('.js') ? [process.execPath, file] : ['npm'];
  return run([...command, ...args], { what: `npm ${args[0]}`, quiet });
}

/** Runs a program; what it wrote is shown only when it fails. */
async function run([command, ...args], { what, quiet = false }) {
  let output = '';
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => (output = (output + chunk).slice(-20_000)));
  }
  const { code, signal, reason } = await new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, reason: error.message }));
    child.once('close', (status, by) =>
      resolve({ code: status, signal: by, reason: by ?? `exit code ${status}` }),
    );
  });
  if (code === 0) return;
  if (!quiet) process.stderr.write(output);
  throw Object.assign(new SetupError(`${what} failed (${reason})`), { signal });
}
