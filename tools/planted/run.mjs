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
/** A finding that is no failed test. */
const unnamed = 'the build or a check';
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
  // The first build of the copy is the same for all faults.
  test('apps/gateway/src/auth/authorize.spec.ts');
  for (const patch of patches) {
    const file = join(here, patch);
    git('apply', file);
    const finding = findFault(
      readFileSync(file, 'utf8')
        .match(/^Found by: (.+)$/m)?.[1]
        .split(', ') ?? [],
    );
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

/** The first failed test, as the command that repeats it. */
function findFault(suspects) {
  const wanted = depth.length > 0 ? suspects : suspects.filter((path) => !path.includes('/test/deep/'));
  return (wanted.length > 0 && test(...wanted)) || test(...depth, '--bail');
}

function test(...args) {
  const { status, stdout } = spawnSync(process.execPath, [join('tools', 'test.mjs'), ...args], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return status === 0 ? undefined : (stdout.match(/^Repeat it: .*npm test -- (.+)$/m)?.[1] ?? unnamed);
}

function git(...args) {
  const { status } = spawnSync('git', args, { cwd: copy, stdio: 'inherit' });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed`);
}
