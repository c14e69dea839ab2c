// `npm run planted -- [--full] [name …]`: plants each fault of this folder in a clean copy of HEAD and reports which test
// finds it. The files that a patch names in `Found by:` run first. If none of them fails, the suites of the depth run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addCheckout, removeCheckout } from '../checkout.mjs';
import { ensureBuilt, ensureInstalled } from '../setup.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const depth = process.argv.includes('--full') ? ['--full'] : [];
const names = process.argv.slice(2).filter((argument) => argument !== '--full');
const patches = readdirSync(here).filter(
  (file) => file.endsWith('.patch') && (names.length === 0 || names.some((name) => file.includes(name))),
);
if (patches.length === 0) {
  console.error('No planted fault has that name.');
  process.exit(1);
}

await ensureInstalled();
await ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'aos-planted-'));
const copy = join(folder, 'checkout');
let missed = 0;
try {
  addCheckout('HEAD', copy);
  // A test that fails without a fault finds none.
  const failed = findFailure(...new Set(patches.flatMap(suspectsOf)));
  if (failed) throw new Error(`This test fails without any fault: ${failed}`);
  for (const patch of patches) {
    const file = join(here, patch);
    git('apply', file);
    const suspects = suspectsOf(patch);
    const finding = (suspects.length > 0 && findFailure(...suspects)) || findFailure(...depth, '--bail');
    git('apply', '--reverse', file);
    if (!finding) missed += 1;
    console.log(`${finding ? 'found' : 'MISSED'}  ${patch.replace('.patch', '')}  ${finding || ''}`);
  }
} finally {
  removeCheckout(copy);
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${patches.length - missed} passed, ${missed} failed`);
process.exit(missed === 0 ? 0 : 1);

/** The files of the depth that a patch names. */
function suspectsOf(patch) {
  const named =
    readFileSync(join(here, patch), 'utf8')
      .match(/^Found by: (.+)$/m)?.[1]
      .split(', ') ?? [];
  return depth.length > 0 ? named : named.filter((path) => !path.includes('/test/deep/'));
}

/** The first failed test, as the command that repeats it. A failed build or check is no test that finds a fault. */
function findFailure(...args) {
  const { status, stdout } = spawnSync(process.execPath, [join('tools', 'test.mjs'), ...args], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const command = stdout.match(/^Repeat it: .*npm test -- (.+)$/m)?.[1];
  if (status !== 0 && !command) console.log(stdout.split('\n').slice(-20).join('\n'));
  return status === 0 ? undefined : command;
}

function git(...args) {
  const { status } = spawnSync('git', args, { cwd: copy, stdio: 'inherit' });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed`);
}
