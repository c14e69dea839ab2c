// Runs one kind of a project's tests: `node ../../tools/jest.mjs unit|integration|e2e [jest arguments]`.
// Writes test-output/<kind>.json (or JEST_REPORT), from which tools/test.mjs sums all suites.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { jestConfig } from './jest/config.mjs';
import { jestPackages } from './jest/joined-packages.mjs';

const [kind, ...rest] = process.argv.slice(2);
const projectRoot = process.cwd();
mkdirSync('test-output', { recursive: true });

const jestBin = createRequire(import.meta.url).resolve('jest/bin/jest');
const { status } = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    jestBin,
    '--config',
    JSON.stringify(jestConfig(projectRoot, kind, await jestPackages())),
    '--json',
    `--outputFile=${process.env.JEST_REPORT ?? `test-output/${kind}.json`}`,
    ...rest,
  ],
  { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, NODE_ENV: 'test' } },
);
process.exit(status ?? 1);
