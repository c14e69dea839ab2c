// What Jest's reports of all suites say together.
import { join, sep } from 'node:path';

/** The projects' folders lie in these. */
export const groups = ['libs', 'apps', 'tools'];

/** The kinds of tests by their target, each with the name of the report that it leaves in a project. */
export const kinds = { test: 'unit', integration: 'integration', e2e: 'e2e' };

/** A failure of more files than these is no accident, and is not tried again. */
const accidents = 5;

/** The report of a suite whose files of `again` were run a second time: what they came to then counts. */
export function withSecondTry(report, again) {
  const second = new Map(again.testResults.map((file) => [file.name, file]));
  const testResults = report.testResults.map((file) => second.get(file.name) ?? file);
  const count = (status) =>
    testResults.flatMap((file) => file.assertionResults).filter((test) => test.status === status).length;
  return {
    ...report,
    testResults,
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numRuntimeErrorTestSuites: testResults.filter(isBroken).length,
  };
}

/** The files of each suite that have a failure; none at all if they are too many for an accident. */
export function filesToTryAgain(suites) {
  const failed = suites
    .map(({ report, ...suite }) => ({
      ...suite,
      files: (report?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name),
    }))
    .filter(({ files }) => files.length > 0);
  return failed.flatMap(({ files }) => files).length > accidents ? [] : failed;
}

export function sum(suites) {
  const total = { passed: 0, failed: 0, empty: [], failures: [], slowest: [] };
  for (const { name, report } of suites) {
    total.passed += report?.numPassedTests ?? 0;
    total.failed += (report?.numFailedTests ?? 0) + (report?.numRuntimeErrorTestSuites ?? 0);
    if (!report || report.numPassedTests + report.numFailedTests === 0) total.empty.push(name);
    total.failures.push(...failuresOf(name, report?.testResults ?? []));
    total.slowest.push(...timesOf(name, report?.testResults ?? []));
  }
  total.slowest = total.slowest.sort((a, b) => b.ms - a.ms);
  return total;
}

/** The failed tests of a report, and the files that could not be run, each with the start of its message. */
export function failuresOf(suite, files) {
  const start = (text = '') => text.split('\n').slice(0, 40).join('\n');
  return files.flatMap((file) => {
    if (isBroken(file)) return [{ suite, name: inProject(file.name), message: start(file.message) }];
    const tests = file.assertionResults.filter(({ status }) => status === 'failed');
    return tests.map((test) => ({
      suite,
      name: test.fullName,
      message: start(test.failureMessages.join('\n')),
    }));
  });
}

function timesOf(suite, files) {
  return files.map(({ name, startTime, endTime }) => ({
    suite,
    name: inProject(name),
    ms: endTime - startTime,
  }));
}

/** It failed outside of its tests. */
const isBroken = ({ status, assertionResults }) =>
  status === 'failed' && assertionResults.every((test) => test.status !== 'failed');

/** The path from the project's group on: a report that Nx has cached may come from another folder. */
function inProject(path) {
  const parts = path.split(sep);
  const at = parts.findLastIndex((part) => groups.includes(part));
  return join(...parts.slice(Math.max(at, 0)));
}
