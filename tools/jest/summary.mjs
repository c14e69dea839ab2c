import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { kindOf } from './config.mjs';

const unread = ['node_modules', 'dist', 'test-output'];

/** More failed files than these are no accident and get no second try. */
const maxSecondTries = 5;

export const sum = (files, count) => files.reduce((total, file) => total + file[count], 0);

export function filesToRetry(files) {
  const failed = files.filter((file) => file.failed > 0).map(({ path }) => path);
  return failed.length > maxSecondTries ? [] : failed;
}

/** The results after a second try, in which the second result of a file counts. */
export function withRetries(files, retries) {
  return files.map((file) => retries.find(({ path }) => path === file.path) ?? file);
}

/** The suites (the tests of one kind in one project) of which no test ran. */
export function emptySuites(files) {
  const suites = [...new Set(files.map(suiteOf))];
  const count = (suite) =>
    files.filter((file) => suiteOf(file) === suite).reduce((n, { passed, failed }) => n + passed + failed, 0);
  return suites.filter((suite) => count(suite) === 0);
}

function suiteOf({ path }) {
  return `${path.split('/').slice(0, 2).join('/')} ${kindOf(path)}`;
}

/** All files that are named as specs, wherever they lie, with those of `test/deep` only if `full`. */
export function specFiles(root, full, folders = ['apps', 'libs', 'tools']) {
  return folders.flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return unread.includes(entry.name) ? [] : specFiles(root, full, [path]);
      return /[.-]spec\.tsx?$/.test(path) && (full || !path.includes('/test/deep/')) ? [path] : [];
    }),
  );
}

/** Of the files that passed only at the second try, those that needed one in the previous run too. Remembers this run's. */
export function repeatedFaults(faults, historyFile) {
  const previous = readHistory(historyFile);
  try {
    mkdirSync(dirname(historyFile), { recursive: true });
    writeFileSync(historyFile, JSON.stringify(faults));
  } catch (error) {
    console.error(`The second tries of this run are not remembered: ${error.message}`);
  }
  return faults.filter((path) => previous.includes(path));
}

/** A file that is missing or damaged counts as no history. */
function readHistory(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}

/** The command that runs one test again, with the same random choices. */
export function repeatCommand(path, title, environment = process.env) {
  const variables = ['TEST_SEED', 'E2E_FORM', 'STORM'].filter((name) => environment[name]);
  const settings = variables.map((name) => `${name}=${environment[name]} `).join('');
  const pattern = title?.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", `'\\''`);
  return `${settings}npm test -- ${path}${pattern ? ` -t '^${pattern}$'` : ''}`;
}
