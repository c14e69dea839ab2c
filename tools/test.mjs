// `npm test` runs all that a change must hold, and ends with `N passed, N failed`. It needs nothing but Node.
//   --full           runs all there is; a file that failed runs once more
//   --bail           stops at the first failure
//   <path …>         runs only the tests of matching files, and no checks; -t <title> only tests with that title
//   --storm [name]   runs the long form of the storms
//   --watch <path>   runs the tests of matching files again whenever a file is saved
//   --record         with --full, writes the durations by which files are ordered
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runJest } from './jest.mjs';
import { root } from './jest/config.mjs';
import { emptySuites, filesToRetry, repeatedFaults, sum, withRetries } from './jest/summary.mjs';
import { assertNodeVersion, ensureBuilt, ensureInstalled, SetupError } from './setup.mjs';

try {
  const known = { title: { type: 'string', short: 't' } };
  for (const name of ['full', 'bail', 'record', 'storm', 'watch']) known[name] = { type: 'boolean' };
  const { values: options, positionals } = parseArgs({ options: known, allowPositionals: true });
  if (options.watch && positionals.length === 0)
    throw new SetupError('--watch needs the path of a test file');
  process.env.TEST_SEED ||= String(randomInt(2 ** 31));
  if (options.storm) process.env.STORM = 'long';
  if (options.watch) watchInFolderOfItsOwn();
  const paths = options.storm ? [`/test/deep/storms/.*${positionals.join('.*')}`] : positionals;
  assertNodeVersion();
  await ensureInstalled();
  process.exit(await (paths.length > 0 ? runSelection(options, paths) : runAll(options)));
} catch (error) {
  const isExpected = error instanceof SetupError || error.code?.startsWith('ERR_PARSE_ARGS');
  console.error('Cannot test:', isExpected ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exit(1);
}

/** In watch mode Jest ends without cleaning up. */
function watchInFolderOfItsOwn() {
  const folder = mkdtempSync(join(tmpdir(), 'aos-watch-'));
  // Postgres runs as another user where this one is root.
  chmodSync(folder, 0o755);
  Object.assign(process.env, { TEST_WATCH: 'true', TMPDIR: folder });
  process.on('SIGINT', () => undefined);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
}

async function runSelection({ watch, title }, paths) {
  await ensureBuilt();
  const areUnit = paths.every((path) => path.endsWith('.spec.ts') || path.includes('/src/'));
  const args = [...(watch ? ['--watchAll', '--runInBand'] : []), ...(title ? ['-t', title] : []), ...paths];
  const { files, isSound } = await runJest({ kind: areUnit ? 'unit' : 'all', full: true, args });
  return end(files, isSound ? [] : ['Jest ended with an error']);
}

async function runAll({ full, bail, title, record: isRecording }) {
  const args = [...(bail ? ['--bail'] : []), ...(title ? ['-t', title] : [])];
  const checks = runChecks();
  await ensureBuilt();
  const [areChecked, first] = await Promise.all([checks, runJest({ kind: 'all', full, args })]);
  const paths = full ? filesToRetry(first.files) : [];
  const retry =
    paths.length === 0
      ? undefined
      : await runJest({ kind: 'all', full, args: ['--runTestsByPath', ...paths] });
  const files = retry ? withRetries(first.files, retry.files) : first.files;
  const faults = paths.filter((path) => files.every((file) => file.path !== path || file.failed === 0));
  for (const path of faults) console.log(`\nA fault to mend: ${path} passed only at the second try`);
  const cacheFolder = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const history = join(cacheFolder, 'agent-operations-service', 'second-tries.json');
  const repeated = full ? repeatedFaults(faults, history) : [];
  if (isRecording) record(files);
  return end(files, [
    ...(areChecked ? [] : ['A check failed; its output is above']),
    ...(first.isSound && (retry?.isSound ?? true) ? [] : ['Jest ended with an error']),
    ...(bail || title ? [] : emptySuites(files)).map((suite) => `${suite}: no test ran`),
    ...repeated.map((path) => `${path} needed a second try in the previous run too`),
  ]);
}

/** Nx runs the checks beside the build and the tests, at a priority that leaves the cores to those. */
function runChecks() {
  const nx = join(root, 'node_modules', '.bin', 'nx');
  const settings = ['--projects=checks', '--output-style=static', '--parallel=2'];
  const args = ['run-many', ...settings, '-t', 'lint,format,types,imports,tables'];
  const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' };
  const child = spawn(nx, args, { cwd: root, env, stdio: 'inherit' });
  if (child.pid) setPriority(child.pid, 10);
  // When the build fails, the checks end too.
  process.once('exit', () => child.kill());
  return new Promise((resolve) => child.once('close', (code) => resolve(code === 0)));
}

function record(files) {
  const slow = files.filter(({ seconds }) => seconds >= 3).sort((a, b) => b.seconds - a.seconds);
  const seconds = Object.fromEntries(slow.map((file) => [file.path, Math.round(file.seconds)]));
  writeFileSync(join(root, 'tools', 'jest', 'durations.json'), `${JSON.stringify(seconds, null, 2)}\n`);
}

/** Prints what a reader of a long log looks for, and returns the exit code. */
function end(files, problems) {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
  console.log('\nThe slowest files, in seconds:');
  for (const { path, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)}  ${path}`);
  for (const { path, skipped } of files) if (skipped > 0) console.log(`Skipped: ${skipped} tests of ${path}`);
  for (const { path, failed, message } of files) if (failed > 0) console.log(`\nFailed: ${path}\n${message}`);
  for (const problem of problems) console.log(`\nFailed: ${problem}`);
  const passed = sum(files, 'passed');
  const failed = sum(files, 'failed') + problems.length;
  console.log(`\nSeed ${process.env.TEST_SEED} (TEST_SEED)\n${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
