import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stamps.mjs';

/** Runs the program of an installed package in a folder. Its output is part of the error if it fails. */
export async function runPackage(name, args, cwd) {
  const folder = [cwd, root].map((one) => join(one, 'node_modules', name)).find(existsSync);
  if (!folder) throw new Error(`the package ${name} is not installed`);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = join(folder, typeof bin === 'string' ? bin : Object.values(bin)[0]);
  const child = spawn(process.execPath, [file, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${name} ${args.join(' ')} in ${cwd} failed:\n${output}`);
}
