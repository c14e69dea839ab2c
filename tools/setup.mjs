// Makes a clone ready to run: what `npm start` and `npm test` do before anything else. Needs nothing but Node.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const oldestNode = [20, 19];
const lockHashFile = join(root, 'node_modules', '.aos-lock-hash');
const buildStampFile = join(root, 'node_modules', '.aos-build-stamp');
const setupLock = join(root, '.nx', 'setup.lock');
const beatMs = 2_000;
const deadAfterMs = 15_000;

/** An end that is told in one line. */
export class SetupError extends Error {}

export function assertNodeVersion(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  const [needMajor, needMinor] = oldestNode;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return;
  throw new SetupError(`Node ${oldestNode.join('.')} or newer is needed; this is Node ${version}`);
}

/** Installs what the lock file names, unless that is in place. */
export async function ensureInstalled(say = console.log) {
  const wanted = sha256(readFileSync(join(root, 'package-lock.json')));
  const isDone = () => readIfPresent(lockHashFile) === wanted || isInstalled();
  if (!isDone()) {
    await oneAtATime(say, async () => {
      if (isDone()) return;
      say('Installing packages (npm ci); the first time this takes a minute or two');
      await installPackages(say);
    });
  }
  remember(lockHashFile, wanted);
}

async function installPackages(say) {
  // Building needs the development packages, also where NODE_ENV says production.
  const flags = ['--include=dev', '--no-audit', '--no-fund'];
  try {
    await run(npmCommand(['ci', ...flags]), { what: 'npm ci', quiet: true });
  } catch {
    // It refuses a lock file in which a package for some other platform is missing; npm install looks that one up.
    say('npm ci did not work; trying npm install');
    await run(npmCommand(['install', '--no-save', ...flags]), { what: 'npm install' });
  }
}

/** Builds every project whose sources have changed; Nx is not even started when none has. */
export async function ensureBuilt(say = console.log) {
  if (isBuilt()) return;
  await oneAtATime(say, async () => {
    if (isBuilt()) return;
    const stamp = sourceStamp();
    say('Building');
    const nx = join(root, 'node_modules', '.bin', 'nx');
    await run([process.execPath, nx, 'run-many', '-t', 'build', '--output-style=static'], {
      what: 'the build',
      // A daemon would stay behind after the program has ended.
      env: { NX_DAEMON: 'false', NX_TUI: 'false' },
    });
    remember(buildStampFile, stamp);
  });
}

/** Someone may have run npm by hand: then what npm noted about the folder agrees with the lock file. */
function isInstalled() {
  const noted = readIfPresent(join(root, 'node_modules', '.package-lock.json'));
  if (noted === undefined) return false;
  const { packages: present } = JSON.parse(noted);
  const { packages: wanted } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = present[path];
    // Packages for other platforms are left out.
    if (!found) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function isBuilt() {
  if (readIfPresent(buildStampFile) !== sourceStamp()) return false;
  return projects().every((project) => !hasBuild(project) || existsSync(join(project, 'dist')));
}

/** Some are only checked. */
function hasBuild(project) {
  return JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).scripts?.build !== undefined;
}

function projects() {
  return ['apps', 'libs', 'tools'].flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(root, group, entry.name, 'package.json')))
      .map((entry) => join(root, group, entry.name)),
  );
}

/**
 * Times rather than contents: a checkout that brings old contents back must still be built again. Of Node as well, for V8
 * takes no code that another version has compiled.
 */
function sourceStamp() {
  const files = [
    ...['package-lock.json', 'nx.json', '.swcrc', 'tsconfig.base.json'].map((name) => join(root, name)),
    ...projects().flatMap((project) => [join(project, 'package.json'), ...filesBelow(join(project, 'src'))]),
  ];
  const lines = files.map((file) => {
    const { mtimeMs, size } = statSync(file);
    return `${file}\0${mtimeMs}\0${size}`;
  });
  return sha256([process.version, ...lines].join('\n'));
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Two starts in one clone wait for each other. The holder keeps its lock fresh, so that a dead one is noticed. */
async function oneAtATime(say, work) {
  for (let told = false; !tryLock(); told = true) {
    if (!told) say('Waiting for another start that is installing or building');
    await delay(200);
  }
  const beat = setInterval(() => writeFileSync(setupLock, String(process.pid)), beatMs);
  try {
    await work();
  } catch (error) {
    throw fileProblem(error);
  } finally {
    clearInterval(beat);
    rmSync(setupLock, { force: true });
  }
}

function tryLock() {
  try {
    mkdirSync(dirname(setupLock), { recursive: true });
    const found = statSync(setupLock, { throwIfNoEntry: false });
    const ageMs = found ? Date.now() - found.mtimeMs : 0;
    // A new lock is empty for a moment.
    const stale = ageMs > deadAfterMs || (ageMs > 1_000 && !isRunning(Number(readIfPresent(setupLock))));
    if (stale) rmSync(setupLock, { force: true });
    writeFileSync(setupLock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw fileProblem(error);
  }
}

function fileProblem(error) {
  const reasons = {
    EACCES: 'permission denied',
    EROFS: 'read-only file system',
    ENOSPC: 'no space left on the disk',
  };
  const reason = reasons[error.code];
  return reason ? new SetupError(`cannot write ${error.path ?? root}: ${reason}`) : error;
}

function isRunning(pid) {
  try {
    return pid > 0 && pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function npmCommand(args) {
  // Set when npm started us; then the same npm is used, whatever the PATH says.
  const { npm_execpath: npm } = process.env;
  return npm?.endsWith('.js') ? [process.execPath, npm, ...args] : ['npm', ...args];
}

/** Runs a program; what it wrote is shown only when it fails. */
async function run([command, ...args], { what, env = {}, quiet = false }) {
  let output = '';
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => (output = (output + chunk).slice(-20_000)));
  }
  const [code, reason] = await new Promise((resolve) => {
    child.once('error', (error) => resolve([1, error.message]));
    child.once('close', (status, signal) => resolve([status ?? 1, signal ?? `exit code ${status}`]));
  });
  if (code === 0) return;
  if (!quiet) process.stderr.write(output);
  throw new SetupError(`${what} failed (${reason})`);
}

/** Only saves time at the next start, so a folder of another user is no reason to fail. */
function remember(file, content) {
  if (readIfPresent(file) === content) return;
  try {
    writeFileSync(file, content);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw fileProblem(error);
  }
}

function readIfPresent(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}
