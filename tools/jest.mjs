// Runs Jest. In the folder of a project, `node ../../tools/jest.mjs unit|integration|e2e [--full] [jest arguments]` runs the
// tests of that project: the Nx targets call this. `npm test` runs the tests of all projects at once.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jestConfig } from './jest/config.mjs';

/** Returns the results by file, and whether Jest ended as these results say. */
export async function runJest({ args = [], ...selection }) {
  const folder = mkdtempSync(join(tmpdir(), 'aos-test-results-'));
  const resultFile = join(folder, 'results.json');
  const config = jestConfig({ ...selection, resultFile });
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest];
  const child = spawn(process.execPath, [...flags, '--config', JSON.stringify(config), ...args], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'test' },
  });
  const status = await new Promise((resolve) => child.once('close', resolve));
  const { files, failed } = resultsIn(resultFile);
  rmSync(folder, { recursive: true });
  return { files, isSound: failed !== undefined && (status === 0) === (failed === 0), status };
}

/** Jest writes no results if it ends before the last file. */
function resultsIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return { files: [] };
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kind, ...rest] = process.argv.slice(2);
  const args = rest.filter((argument) => argument !== '--full');
  const run = await runJest({ kinds: [kind], full: args.length < rest.length, folder: process.cwd(), args });
  process.exit(run.isSound ? run.status : 1);
}
