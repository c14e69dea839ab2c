// `npm test`: everything that must hold, on a machine with nothing but Node. Ends with `N passed, N failed`.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertNodeVersion, ensureBuilt, ensureInstalled, SetupError } from './setup.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The kinds of tests, and the report that each leaves in a project. */
const kinds = { test: 'unit', integration: 'integration', e2e: 'e2e' };

const bin = (...path) => [process.execPath, join(root, 'node_modules', ...path)];
const nx = (...args) => [
  join(root, 'node_modules', '.bin', 'nx'),
  'run-many',
  '--output-style=static',
  ...args,
];

const typescript = join('typescript', 'bin', 'tsc');
const eslint = ['--config', join('tools', 'eslint.config.mjs'), 'apps', 'libs', 'tools'];

/** Each step is a name and the commands that run side by side in it. */
const steps = [
  [
    'format and imports',
    [...bin('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.'],
    [process.execPath, join(root, 'tools', 'check-imports.mjs')],
  ],
  // One process each for all projects: a project's own would read the libraries, and Nx its graph, again and again.
  ['lint and types', [...bin('eslint', 'bin', 'eslint.js'), ...eslint], [...bin(typescript), '-p', '.']],
  ['unit tests', nx('-t', 'test', '--parallel=2')],
  // One at a time: each has databases and processes of its own, and the machine may be small.
  ['integration tests', nx('-t', 'integration', '--parallel=1')],
  ['end-to-end tests', nx('-t', 'e2e', '--parallel=1')],
];

try {
  assertNodeVersion();
  await ensureInstalled();
  await ensureBuilt();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`Cannot test: ${error.message}`);
  console.log('0 passed, 1 failed');
  process.exit(1);
}

forgetReports();
const stores = await startTestStores();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => stores.stop().then(() => process.exit(1)));
let failedSteps = 0;
for (const [name, ...commands] of steps) {
  const startedAt = Date.now();
  console.log(`\n== ${name}`);
  const ok = (await Promise.all(commands.map(run))).every(Boolean);
  console.log(`== ${name}: ${ok ? 'ok' : 'FAILED'} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
  if (!ok) failedSteps += 1;
}
await stores.stop();

const { passed, failed, empty, told, slowest } = sum();
console.log('\nThe slowest files, in seconds:');
for (const { suite, name, ms } of slowest)
  console.log(`${(ms / 1000).toFixed(1).padStart(7)}  ${suite}  ${name}`);
// Told once more here: in a long log the end is what people see.
for (const { suite, name, message } of told) console.log(`\n${suite}: ${name}\n${message}`);
for (const suite of empty) console.log(`${suite} ran no test`);
// A step that failed without a failed test (format, lint, a crash) counts as one.
const failures = failed + empty.length || failedSteps;
console.log(`\n${passed} passed, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);

function suites() {
  return ['libs', 'apps', 'tools'].flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .map((entry) => join(root, group, entry.name))
      .filter((project) => existsSync(join(project, 'package.json')))
      .flatMap((project) => {
        const { name, scripts = {} } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
        return Object.entries(kinds)
          .filter(([script]) => scripts[script])
          .map(([script, kind]) => ({
            name: `${name}:${script}`,
            report: join(project, 'test-output', `${kind}.json`),
          }));
      }),
  );
}

/** A report of an earlier run must not pass for one of this run; what Nx has cached it puts back. */
function forgetReports() {
  for (const { report } of suites()) rmSync(report, { force: true });
}

/**
 * One Postgres and one Redis for all suites, and a migrated database from which tests clone theirs. Suites find them in
 * the environment; a suite that is run alone starts its own.
 */
async function startTestStores() {
  const { ensureProductTemplate, startStores } = await import('../libs/testing/dist/index.js');
  const stores = await startStores(process.env);
  console.log(`Tests use ${stores.origin}.`);
  process.env.TEST_DATABASE_URL = stores.databaseUrl;
  process.env.TEST_REDIS_URL = stores.redisUrl;
  process.env.TEST_PRODUCT_TEMPLATE = await ensureProductTemplate(stores.databaseUrl);
  return stores;
}

function sum() {
  const total = { passed: 0, failed: 0, empty: [], told: [], slowest: [] };
  for (const { name, report } of suites()) {
    const result = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
    total.passed += result?.numPassedTests ?? 0;
    total.failed += (result?.numFailedTests ?? 0) + (result?.numRuntimeErrorTestSuites ?? 0);
    if (!result || result.numPassedTests + result.numFailedTests === 0) total.empty.push(name);
    total.told.push(...failuresOf(name, result?.testResults ?? []));
    total.slowest.push(...timesOf(name, result?.testResults ?? []));
  }
  total.slowest = total.slowest.sort((a, b) => b.ms - a.ms).slice(0, 10);
  return total;
}

function timesOf(suite, files) {
  return files.map(({ name, startTime, endTime }) => ({
    suite,
    name: relative(root, name),
    ms: endTime - startTime,
  }));
}

/** The failed tests of a report, and the files that could not be run, each with the start of its message. */
function failuresOf(suite, files) {
  const start = (text = '') => text.split('\n').slice(0, 40).join('\n');
  return files.flatMap((file) => {
    const tests = file.assertionResults.filter(({ status }) => status === 'failed');
    if (tests.length === 0 && file.status === 'failed')
      return [{ suite, name: relative(root, file.name), message: start(file.message) }];
    return tests.map((test) => ({
      suite,
      name: test.fullName,
      message: start(test.failureMessages.join('\n')),
    }));
  });
}

function run([command, ...args]) {
  // No daemon: it would stay behind. No colour codes in CI logs.
  const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NODE_ENV: 'test' };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}
