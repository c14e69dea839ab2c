import { readFileSync } from 'node:fs';
import {
  filesToTryAgain,
  kinds,
  sum,
  withSecondTry,
  type JestFile,
  type JestReport,
} from '../../test-reports.mjs';

type Status = JestFile['assertionResults'][number]['status'];

function file(name: string, ...statuses: Status[]): JestFile {
  return {
    name: `/home/me/aos/apps/runs/test/${name}`,
    status: statuses.length === 0 || statuses.includes('failed') ? 'failed' : 'passed',
    message: `${name} is broken`,
    startTime: 0,
    endTime: 1_000,
    assertionResults: statuses.map((status, index) => ({
      fullName: `${name} ${index}`,
      status,
      failureMessages: status === 'failed' ? [`${name} ${index} failed`] : [],
    })),
  };
}

function report(...testResults: JestFile[]): JestReport {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return {
    numPassedTests: tests.filter(({ status }) => status === 'passed').length,
    numFailedTests: tests.filter(({ status }) => status === 'failed').length,
    numRuntimeErrorTestSuites: testResults.filter(({ assertionResults }) => assertionResults.length === 0)
      .length,
    testResults,
  };
}

const suite = (of?: JestReport) => ({ name: 'runs:test', ...(of ? { report: of } : {}) });

describe('the sum of all suites', () => {
  it('counts tests, and a file that could not be run as one', () => {
    const of = report(file('a', 'passed', 'failed', 'pending'), file('b'), file('c', 'passed'));
    expect(sum([suite(of), suite(of)])).toMatchObject({ passed: 4, failed: 4, empty: [] });
  });

  it('names what failed, and a broken file by its path in the project', () => {
    const { failures } = sum([suite(report(file('a', 'passed', 'failed'), file('b')))]);
    expect(failures).toEqual([
      { suite: 'runs:test', name: 'a 1', message: 'a 1 failed' },
      { suite: 'runs:test', name: 'apps/runs/test/b', message: 'b is broken' },
    ]);
  });

  it.each([
    ['has no report', undefined],
    ['has no test', report()],
    ['skipped every test', report(file('a', 'pending'))],
  ])('tells of a suite that %s', (_, of) => {
    expect(sum([suite(of)]).empty).toEqual(['runs:test']);
  });
});

describe('a second try', () => {
  it('is made of the files that failed, by a test or as a whole', () => {
    const of = report(file('a', 'passed'), file('b', 'passed', 'failed'), file('c'));
    expect(filesToTryAgain([suite(of), suite()])).toEqual([
      { name: 'runs:test', files: [of.testResults[1]!.name, of.testResults[2]!.name] },
    ]);
  });

  it('is not made when so many failed that it is no accident', () => {
    const failing = (prefix: string) =>
      report(...Array.from({ length: 3 }, (_, index) => file(`${prefix}${index}`, 'failed')));
    expect(filesToTryAgain([suite(failing('a'))])).toHaveLength(1);
    expect(filesToTryAgain([suite(failing('a')), suite(failing('b'))])).toEqual([]);
  });

  it('counts instead of the first, for its files alone', () => {
    const first = report(file('a', 'passed'), file('b', 'passed', 'failed'), file('c'), file('d', 'failed'));
    const again = report(file('b', 'passed', 'passed'), file('c', 'passed'), file('d', 'failed'));
    expect(withSecondTry(first, again)).toMatchObject({
      numPassedTests: 4,
      numFailedTests: 1,
      numRuntimeErrorTestSuites: 0,
    });
    expect(sum([suite(withSecondTry(first, again))]).failures.map(({ name }) => name)).toEqual(['d 0']);
  });

  it('of a file that is broken again is a failure', () => {
    const second = withSecondTry(report(file('a')), report(file('a')));
    expect(sum([suite(second)])).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe('what Nx keeps of tests', () => {
  const nx = JSON.parse(readFileSync(new URL('../../../nx.json', import.meta.url), 'utf8'));

  // With a whole folder as its output, a suite that comes out of the cache would take away the others' reports.
  it.each(Object.entries(kinds))('of target "%s" is its own report and no other', (target, kind) => {
    expect(nx.targetDefaults[target].outputs).toEqual([`{projectRoot}/test-output/${kind}.json`]);
  });

  it('stays in the checkout, lest a clean one is served what another has proved', () => {
    expect(nx.cacheDirectory).toBe('.nx/cache');
  });
});
