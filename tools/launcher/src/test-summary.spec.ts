import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  emptySuites,
  filesToRetry,
  repeatCommand,
  repeatedFaults,
  sum,
  withRetries,
  type FileResult,
} from '../../jest/summary.mjs';

function file(name: string, passed: number, failed: number): FileResult {
  return { path: `apps/runs/test/${name}.int-spec.ts`, seconds: 1, passed, failed, skipped: 0, message: '' };
}

describe('the summary of a test run', () => {
  it('counts passed and failed tests', () => {
    const files = [file('a', 3, 1), file('b', 4, 0)];
    expect([sum(files, 'passed'), sum(files, 'failed')]).toEqual([7, 1]);
  });

  it('names each suite of which no test ran', () => {
    const unit: FileResult = { ...file('c', 0, 0), path: 'libs/egress/src/c.spec.ts' };
    expect(emptySuites([file('b', 1, 0), unit])).toEqual([unit.path, 'libs/egress unit']);
  });

  it('names a file of which no test ran, unless its tests were skipped', () => {
    const skipped = { ...file('c', 0, 0), skipped: 3 };
    expect(emptySuites([file('a', 0, 0), file('b', 1, 0), skipped])).toEqual([file('a', 0, 0).path]);
  });
});

describe('a second try', () => {
  it('is for the files that failed', () => {
    expect(filesToRetry([file('a', 3, 0), file('b', 3, 1)])).toEqual([file('b', 0, 0).path]);
  });

  it('is for none if more than five failed', () => {
    expect(filesToRetry(Array.from({ length: 6 }, (_, index) => file(`f${index}`, 0, 1)))).toEqual([]);
  });

  it('replaces the first result of its files', () => {
    const files = withRetries([file('a', 3, 0), file('b', 3, 1)], [file('b', 4, 0)]);
    expect([sum(files, 'passed'), sum(files, 'failed')]).toEqual([7, 0]);
  });

  it('is a fault if the same file needed one in the previous run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'aos-history-'));
    const history = join(folder, 'cache', 'second-tries.json');
    const runs = [['a', 'b'], ['b'], [], ['b']].map((faults) => repeatedFaults(faults, history));
    expect(runs).toEqual([[], ['b'], [], []]);
    expect(JSON.parse(readFileSync(history, 'utf8'))).toEqual(['b']);
    rmSync(folder, { recursive: true });
  });
});

describe('a history that cannot be read or written', () => {
  it('ends no run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'aos-history-'));
    const damaged = join(folder, 'second-tries.json');
    writeFileSync(damaged, '[');
    expect(repeatedFaults(['a'], damaged)).toEqual([]);
    expect(repeatedFaults(['a'], damaged)).toEqual(['a']);
    expect(repeatedFaults(['a'], join(damaged, 'below-a-file', 'second-tries.json'))).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});

describe('the command that repeats a test', () => {
  const title = `it's the cost (100 %) of $name [a|b]`;
  const command = repeatCommand('apps/runs/test/a.int-spec.ts', title, { TEST_SEED: '7', STORM: '' });

  it('names the file, the seed and the test', () => {
    expect(command).toMatch(/^TEST_SEED=7 npm test -- apps\/runs\/test\/a\.int-spec\.ts -t '/);
  });

  it('gives the shell a pattern that matches the title and nothing longer', () => {
    const pattern = execFileSync('sh', ['-c', `printf %s ${command.slice(command.indexOf(' -t ') + 4)}`]);
    expect(title).toMatch(new RegExp(pattern.toString()));
    expect(`${title} too`).not.toMatch(new RegExp(pattern.toString()));
  });

  it('names no test where the whole file failed', () => {
    expect(repeatCommand('apps/runs/test/a.int-spec.ts', undefined, {})).toBe(
      'npm test -- apps/runs/test/a.int-spec.ts',
    );
  });
});
