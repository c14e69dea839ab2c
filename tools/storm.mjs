// `npm run storm`: the storms of the tests in their long form, one after the other. `npm test` has a little of each.
// `npm run storm -- chaos` runs those whose path has "chaos" in it; TEST_SEED=12345 makes the same choices again.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertNodeVersion, ensureBuilt, ensureInstalled } from './setup.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const kinds = { '.int-spec.ts': 'integration', '.e2e-spec.ts': 'e2e' };

assertNodeVersion();
await ensureInstalled();
await ensureBuilt();

const wanted = process.argv.slice(2);
const storms = findStorms().filter(({ file }) => wanted.every((part) => file.includes(part)));
const seed = process.env.TEST_SEED || String(randomInt(2 ** 31));
console.log(`Seed ${seed} (TEST_SEED)`);

let [passed, failed] = [0, 0];
for (const storm of storms) {
  console.log(`\n== ${relative(root, storm.file)}`);
  const result = await unleash(storm);
  passed += result.numPassedTests;
  failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
}
if (storms.length === 0) console.error('There is no such storm.');
console.log(`\nSeed ${seed} (TEST_SEED): ${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

/** The specs that have a short and a long form. */
function findStorms() {
  return ['libs', 'apps'].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => join(root, group, name))
      .filter((project) => existsSync(join(project, 'test')))
      .flatMap((project) =>
        readdirSync(join(project, 'test'))
          .map((name) => join(project, 'test', name))
          .map((file) => ({ project, file, kind: kindOf(file) }))
          .filter(({ file, kind }) => kind && /\bofStorm\b/.test(readFileSync(file, 'utf8'))),
      ),
  );
}

function kindOf(file) {
  return Object.entries(kinds).find(([ending]) => file.endsWith(ending))?.[1];
}

async function unleash({ project, file, kind }) {
  const report = join(project, 'test-output', `${kind}.json`);
  rmSync(report, { force: true });
  const args = [join(root, 'tools', 'jest.mjs'), kind, '--runTestsByPath', file];
  const env = { ...process.env, STORM: 'long', TEST_SEED: seed };
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: ['ignore', 'inherit', 'inherit'] });
  await new Promise((resolve) => child.once('close', resolve));
  if (existsSync(report)) return JSON.parse(readFileSync(report, 'utf8'));
  return { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 1 };
}
