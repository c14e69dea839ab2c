// `AOS_BASE_URL=https://… AOS_ADMIN_KEY=… npm run e2e-at`: the end-to-end tests that need no more than HTTP, against an
// installation that runs elsewhere. They make teams of their own and leave them there.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertNodeVersion, ensureBuilt, ensureInstalled } from './setup.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const project = join(root, 'apps', 'e2e');
const wanted = process.argv.slice(2);

for (const name of ['AOS_BASE_URL', 'AOS_ADMIN_KEY']) {
  if (process.env[name]) continue;
  console.error(`${name} is not set: give the address of an installation and its administrator's key.`);
  process.exit(1);
}
if (!URL.canParse(process.env.AOS_BASE_URL)) {
  console.error('AOS_BASE_URL must be a URL.');
  process.exit(1);
}

assertNodeVersion();
await ensureInstalled();
await ensureBuilt();

const folder = join(project, 'test');
const specs = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.e2e-spec.ts'));
const anywhere = specs.filter((name) =>
  /\bconnectToDeployment\b/.test(readFileSync(join(folder, name), 'utf8')),
);
for (const name of specs) {
  if (!anywhere.includes(name))
    console.log(`skipped: ${name} (needs processes, stores or receivers of its own)`);
}
const files = anywhere.filter((name) => wanted.every((part) => name.includes(part)));
if (files.length === 0) {
  console.error('There is no such test.');
  process.exit(1);
}
const paths = files.map((name) => join(folder, name));
const { status } = spawnSync(
  process.execPath,
  [join(root, 'tools', 'jest.mjs'), 'e2e', '--full', '--runTestsByPath', ...paths],
  {
    cwd: project,
    env: { ...process.env, AOS_BASE_URL: process.env.AOS_BASE_URL.replace(/\/+$/, '') },
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
