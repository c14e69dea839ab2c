import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceNames } from '@aos/contracts';
import { memoryFlags, sharedMemoryFlags } from '@aos/local-infra';
import { appEntry } from '@aos/testing';

const wrongSettings = 78;
const build = fileURLToPath(new URL('../../../../tools/build.mjs', import.meta.url));

/** Tells on the error output whether V8 took the code that lies beside a program, was given none, or refused it. */
const telling = `data:text/javascript,${encodeURIComponent(`
  import vm from 'node:vm';
  const { Script } = vm;
  vm.Script = class extends Script {
    constructor(source, options) {
      super(source, options);
      console.error(options.cachedData ? (this.cachedDataRejected ? 'refused' : 'taken') : 'none');
    }
  };
`)}`;

/** Without settings: a program loads everything, says what is missing and ends. */
function start(entry: string, flags: readonly string[]): { code: string; status: number | null } {
  const { stderr, status } = spawnSync(process.execPath, [...flags, '--import', telling, entry], {
    encoding: 'utf8',
    env: {},
  });
  return { code: stderr.split('\n')[0]!, status };
}

describe('a program of the product', () => {
  const programs: [name: string, flags: readonly string[]][] = [
    ...serviceNames.map((name) => [name, memoryFlags] as [string, readonly string[]]),
    ['together', sharedMemoryFlags],
  ];

  it.each(programs)('starts from compiled code: %s', (name, flags) => {
    expect(start(appEntry(name), flags)).toEqual({ code: 'taken', status: wrongSettings });
  });

  it('starts under other flags, for which it is compiled anew', () => {
    const flags = ['--max-old-space-size=300'];
    expect(start(appEntry('billing'), flags)).toEqual({ code: 'refused', status: wrongSettings });
  });

  it('starts where its compiled code is missing or cut off', () => {
    const folder = mkdtempSync(join(tmpdir(), 'aos-bundle-'));
    try {
      const entry = join(folder, 'main.js');
      const code = join(folder, 'main.cjs.code');
      cpSync(dirname(appEntry('billing')), folder, { recursive: true });
      truncateSync(code, 1_000_000);
      expect(start(entry, memoryFlags)).toEqual({ code: 'refused', status: wrongSettings });
      rmSync(code);
      expect(start(entry, memoryFlags)).toEqual({ code: 'none', status: wrongSettings });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is never started from the code of one that was built before it, however alike they are', () => {
    const folder = mkdtempSync(join(tmpdir(), 'aos-bundle-'));
    try {
      const project = join(folder, 'apps', 'word');
      mkdirSync(join(project, 'src'), { recursive: true });
      const manifest = { name: 'word', type: 'module', aos: { programs: { 'main.js': 'service' } } };
      writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
      for (const word of ['one', 'two']) {
        const program = `class Word {}\nprocess.stdout.write('${word}' + Word.name);\n`;
        writeFileSync(join(project, 'src', 'main.ts'), program);
        spawnSync(process.execPath, [build], { cwd: project });
        const entry = join(project, 'dist', 'bundle', 'main.js');
        const { stdout } = spawnSync(process.execPath, [...memoryFlags, entry], { encoding: 'utf8' });
        expect(stdout).toBe(`${word}Word`);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
