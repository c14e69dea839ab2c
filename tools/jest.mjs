// Runs Jest: for all projects, as `npm test` does, or for the project in whose folder it starts, as its Nx targets do:
// `node ../../tools/jest.mjs unit|integration|e2e [--full] [jest arguments]`.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { jestConfig } from './jest/config.mjs';

/** Returns the results by file, the exit status, and whether Jest ended as the results say. */
export async function runJest({ args = [], ...selection }) {
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest];
  const config = JSON.stringify(jestConfig(selection));
  const child = spawn(process.execPath, [...flags, '--config', config, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'test' },
  });
  let files;
  // The reporter sends them after the last file; a Jest that ends before has sent none.
  child.on('message', (results) => (files = results));
  const status = await new Promise((resolve) => child.once('close', resolve));
  const isSound = files !== undefined && (status === 0) === files.every(({ failed }) => failed === 0);
  return { files: files ?? [], status, isSound };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kind, ...rest] = process.argv.slice(2);
  const args = rest.filter((argument) => argument !== '--full');
  const run = await runJest({ kind, full: args.length < rest.length, folder: process.cwd(), args });
  process.exit(run.isSound ? run.status : 1);
}
