// `npm test`: everything that must hold, on a machine with nothing but Node. Ends with `N passed, N failed`.
// `npm test -- --strict`: a test that fails once has failed.
// `npm test -- --record`: writes down which files take long, for those begin first.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertNodeVersion, ensureBuilt, ensureInstalled, SetupError } from './setup.mjs';
import { failuresOf, filesToTryAgain, groups, kinds, sum, withSecondTry } from './test-reports.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** To begin late with what takes longer would leave a core idle at the end. */
const slowSeconds = 30;
const isStrict = process.argv.includes('--strict');

const bin = (...path) => [process.execPath, join(root, 'node_modules', ...path)];
const nx = (...args) => [
  join(root, 'node_modules', '.bin', 'nx'),
  'run-many',
  '--output-style=static',
  ...args,
];

const typescript = join('@typescript', 'native', 'bin', 'tsc');
const eslint = ['--config', join('tools', 'eslint.config.mjs'), 'apps', 'libs', 'tools'];

/** Each step is a name and the commands that run side by side in it. */
const checks = [
  // One process each for all projects: a project's own would read the libraries, and Nx its graph, again and again.
  [
    'lint, types, format, imports and tables',
    [...bin('eslint', 'bin', 'eslint.js'), ...eslint],
    [...bin('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.'],
    [process.execPath, join(root, 'tools', 'check-imports.mjs')],
    [process.execPath, join(root, 'tools', 'check-tables.mjs')],
    // One checker: more of them look at shared types again, and the cores have other work.
    [...bin(typescript), '-p', '.', '--checkers', '1'],
    // The console is a page: other libraries, other resolution.
    [...bin(typescript), '-p', join('apps', 'console')],
  ],
];
/** These take as long as all others together. */
const half = '@aos/runs,@aos/agents-and-revisions,@aos/connections';
const integration = (...which) => nx('-t', 'integration', '--parallel=1', '--maxWorkers=2', ...which);
const tests = [
  ['unit tests', nx('-t', 'test', '--parallel=2')],
  // In two halves, lest the cores are idle while the longest project ends alone; four workers in all, each with databases
  // and processes of its own, for the machine may be small.
  ['integration tests', integration(`--projects=${half}`), integration(`--exclude=${half}`)],
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
const failedChecks = await runSteps(checks);
const failedTests = await runSteps(tests);
const accidents = isStrict ? [] : await tryAgain();
await stores.stop();

const { passed, failed, empty, failures, slowest } = sum(suites());
if (process.argv.includes('--record')) recordSlow(slowest);
console.log('\nThe slowest files, in seconds:');
for (const { suite, name, ms } of slowest.slice(0, 10))
  console.log(`${(ms / 1000).toFixed(1).padStart(7)}  ${suite}  ${name}`);
if (accidents.length > 0) console.log('\nPassed only at the second try; each is a fault to be mended:');
printFailures(accidents);
// Printed once more here: in a long log the end is what people see.
if (failures.length > 0) console.log('\nFailed:');
printFailures(failures);
for (const suite of empty) console.log(`${suite} ran no test`);
// What failed without a failed test (format, lint, a crash of Jest) counts as one.
const unexplained = failed + empty.length + accidents.length === 0 ? failedTests : [];
const failedCommands = [...failedChecks, ...unexplained];
for (const command of failedCommands) console.log(`\nFailed, its output is above: ${command}`);
const problems = failed + empty.length + failedCommands.length;
console.log(`\n${passed} passed, ${problems} failed`);
process.exit(problems === 0 ? 0 : 1);

/** Gives those that failed, as one would repeat them. */
async function runSteps(steps) {
  const allFailed = [];
  for (const [name, ...commands] of steps) {
    const startedAt = Date.now();
    console.log(`\n== ${name}`);
    const held = await Promise.all(commands.map((command) => run(command)));
    const failed = commands.filter((_, index) => !held[index]);
    const outcome = failed.length === 0 ? 'ok' : 'FAILED';
    console.log(`== ${name}: ${outcome} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
    allFailed.push(...failed.map((command) => command.join(' ').replaceAll(root + sep, '')));
  }
  return allFailed;
}

/**
 * The few files that failed run once more, alone: of ten thousand tests on real stores and processes, one that a busy
 * machine upsets must not hide that the others hold. Returns the failures that were none then.
 */
async function tryAgain() {
  const accidents = [];
  for (const { name, project, kind, reportFile, files } of filesToTryAgain(suites())) {
    console.log(`\n== again: ${files.length} of ${name}`);
    const secondFile = join(project, 'test-output', `${kind}.again.json`);
    rmSync(secondFile, { force: true });
    const jest = [process.execPath, join(root, 'tools', 'jest.mjs'), kind, '--runTestsByPath', ...files];
    await run(jest, project, { JEST_REPORT: secondFile });
    if (!existsSync(secondFile)) continue;
    const first = JSON.parse(readFileSync(reportFile, 'utf8'));
    const again = JSON.parse(readFileSync(secondFile, 'utf8'));
    const good = again.testResults.filter(({ status }) => status === 'passed').map((file) => file.name);
    accidents.push(
      ...failuresOf(
        name,
        first.testResults.filter((file) => good.includes(file.name)),
      ),
    );
    writeFileSync(reportFile, JSON.stringify(withSecondTry(first, again)));
  }
  return accidents;
}

/** For `jest/slow-first.mjs`. */
function recordSlow(files) {
  const seconds = files.map(({ name, ms }) => [name.replaceAll(sep, '/'), Math.round(ms / 1000)]);
  const slow = Object.fromEntries(seconds.filter(([, took]) => took >= slowSeconds));
  writeFileSync(join(root, 'tools', 'jest', 'slow-files.json'), `${JSON.stringify(slow, null, 2)}\n`);
}

function printFailures(failures) {
  for (const { suite, name, message } of failures) console.log(`\n${suite}: ${name}\n${message}`);
}

/** Every suite of every project, with its report where it has been run. */
function suites() {
  return groups.flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .map((entry) => join(root, group, entry.name))
      .filter((project) => existsSync(join(project, 'package.json')))
      .flatMap((project) => {
        const { name, scripts = {} } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
        return Object.entries(kinds)
          .filter(([script]) => scripts[script])
          .map(([script, kind]) => {
            const reportFile = join(project, 'test-output', `${kind}.json`);
            const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined;
            return { name: `${name}:${script}`, project, kind, reportFile, report };
          });
      }),
  );
}

/** A report of an earlier run must not pass for one of this run; what Nx has cached it puts back. */
function forgetReports() {
  for (const { reportFile } of suites()) rmSync(reportFile, { force: true });
}

/**
 * One Postgres and one Redis for all suites, and a migrated database from which tests clone theirs. Suites find them in
 * the environment; a suite that is run alone starts its own.
 */
async function startTestStores() {
  const { ensureProductTemplate, startStores } = await import('../libs/testing/dist/index.js');
  const stores = await startStores(process.env);
  console.log(`Tests use ${stores.origin}.`);
  process.env.TEST_STORES_ORIGIN = stores.origin;
  process.env.TEST_DATABASE_URL = stores.databaseUrl;
  process.env.TEST_REDIS_URL = stores.redisUrl;
  process.env.TEST_PRODUCT_TEMPLATE = await ensureProductTemplate(stores.databaseUrl);
  return stores;
}

function run([command, ...args], cwd = root, more = {}) {
  // No daemon: it would stay behind. No colour codes in CI logs.
  const env = { ...process.env, ...more, NX_DAEMON: 'false', NX_TUI: 'false', NODE_ENV: 'test' };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}
