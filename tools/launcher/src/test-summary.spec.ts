import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  emptySuites,
  filesToRetry,
  repeatCommand,
  repeatedFaults,
  specFiles,
  sum,
  withRetries,
  type FileResult,
} from '../../jest/summary.mjs';

function file(name: string, passed: number, failed: number): FileResult {
  return { path: `apps/runs/test/${name}.int-spec.ts`, seconds: 1, passed, failed, message: '' };
}

describe('the summary of a test run', () => {
  it('counts passed and failed tests', () => {
    const files = [file('a', 3, 1), file('b', 4, 0)];
    expect([sum(files, 'passed'), sum(files, 'failed')]).toEqual([7, 1]);
  });

  it('names each suite of which no test ran', () => {
    const unit: FileResult = { ...file('c', 0, 0), path: 'libs/egress/src/c.spec.ts' };
    expect(emptySuites([file('a', 0, 0), file('b', 1, 0), unit])).toEqual(['libs/egress unit']);
  });
});

describe('the spec files', () => {
  it('are found wherever they lie, those in test/deep only in a full run', () => {
    const root = mkdtempSync(join(tmpdir(), 'aos-specs-'));
    const stray = 'libs/test/deep/a.int-spec.ts';
    const paths = ['apps/x/src/b.spec.tsx', 'apps/x/test/c.e2e-spec.ts', stray, 'libs/y/test/helper.ts'];
    for (const path of [...paths, 'apps/x/dist/b.spec.ts', 'apps/x/node_modules/z/d.spec.ts']) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), '');
    }
    const find = (full: boolean) => specFiles(root, full, ['apps', 'libs']).sort();
    expect(find(true)).toEqual(paths.slice(0, 3));
    expect(find(false)).toEqual(paths.slice(0, 2));
    rmSync(root, { recursive: true });
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
