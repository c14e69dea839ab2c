import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { kindOf } from './config.mjs';

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

/** The files of which no test ran although none was skipped, and the kinds of tests of a project of which none ran. */
export function emptySuites(files) {
  const suiteOf = ({ path }) => `${path.split('/').slice(0, 2).join('/')} ${kindOf(path)}`;
  const hasRun = ({ passed, failed }) => passed + failed > 0;
  const ran = new Set(files.filter(hasRun).map(suiteOf));
  const silent = files.filter((file) => !hasRun(file) && file.skipped === 0).map(({ path }) => path);
  return [...silent, ...new Set(files.map(suiteOf).filter((suite) => !ran.has(suite)))];
}

/** Lists the files that passed only at the second try in this run and in the previous one, and stores those of this run. */
export function repeatedFaults(faults, historyFile) {
  let previous = [];
  try {
    mkdirSync(dirname(historyFile), { recursive: true });
    const text = existsSync(historyFile) ? readFileSync(historyFile, 'utf8') : '[]';
    // Written first, so that a damaged file is replaced.
    writeFileSync(historyFile, JSON.stringify(faults));
    previous = JSON.parse(text);
  } catch (error) {
    console.error(`The second tries of the previous run are unknown: ${error.message}`);
  }
  return faults.filter((path) => previous.includes(path));
}

/** The command that runs one test again, with the same random choices. */
export function repeatCommand(path, title, environment = process.env) {
  const variables = ['TEST_SEED', 'TEST_STORES', 'E2E_FORM', 'E2E_IMAGES', 'STORM'].filter(
    (name) => environment[name],
  );
  const settings = variables.map((name) => `${name}=${environment[name]} `).join('');
  const pattern = title?.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", `'\\''`);
  return `${settings}npm test -- ${path}${pattern ? ` -t '^${pattern}$'` : ''}`;
}
