import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const run = promisify(execFile);

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

interface Planted {
  readonly file: string;
  readonly code: string;
}

/** Of each project, for each text that was planted in it. */
type RuleIds = Readonly<Record<string, readonly string[][]>>;

/** Lints texts as if they were files of projects; they lie nowhere, so nobody else trips over them. */
async function ruleIdsOf(files: Readonly<Record<string, readonly Planted[]>>): Promise<RuleIds> {
  // One process for all projects: each would read the graph of the projects anew.
  const program = `
    import { ESLint } from 'eslint';
    const eslint = new ESLint({ overrideConfigFile: 'tools/eslint.config.mjs' });
    const found = {};
    for (const [project, planted] of Object.entries(${JSON.stringify(files)})) {
      found[project] = [];
      for (const { file, code } of planted) {
        const [result] = await eslint.lintText(code, { filePath: project + '/' + file });
        found[project].push(result.messages.map(({ ruleId, message }) => ruleId ?? message));
      }
    }
    console.log(JSON.stringify(found));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: root });
  return JSON.parse(stdout) as RuleIds;
}

const importing = (what: string, file = 'src/planted.ts'): Planted => ({
  file,
  code: `import * as planted from '${what}';\nexport const use = planted;\n`,
});

const manifestWith = (project: string, dependency: string): Planted => {
  const manifest = JSON.parse(readFileSync(join(root, project, 'package.json'), 'utf8')) as Manifest;
  const dependencies = { ...manifest.dependencies, [dependency]: '*' };
  return { file: 'package.json', code: JSON.stringify({ ...manifest, dependencies }) };
};

const sqlIn = (file: string, text: string): Planted => ({ file, code: `export const use = ${text};\n` });

const boundary = '@nx/enforce-module-boundaries';
const manifests = '@nx/dependency-checks';
const restricted = 'no-restricted-imports';
const syntax = 'no-restricted-syntax';

const cases: Record<string, readonly (readonly [what: string, Planted, expected: string[]])[]> = {
  'libs/contracts': [
    ['may import zod', importing('zod'), []],
    ['may not import another package', importing('pg'), [boundary]],
    ['may not import a lib', importing('@aos/persistence'), [boundary]],
    ['may not reach into another project', importing('../../platform/src/index.js'), [boundary]],
  ],
  'libs/platform': [
    ['may import what it builds on', importing('@aos/secrets'), []],
    ['may not import what builds on it', importing('@aos/messaging'), [boundary]],
    ['may not import the embedded stores', importing('@aos/local-infra'), [boundary]],
    ['may not import the test harness', importing('@aos/testing'), [boundary]],
    ['may not import an app', importing('@aos/runs'), [boundary]],
    [
      'may not read the environment',
      { file: 'src/planted.ts', code: 'export const use = process.env;\n' },
      [syntax],
    ],
    [
      'may not export a default',
      { file: 'src/planted.ts', code: 'const use = 1;\nexport default use;\n' },
      [syntax],
    ],
    [
      'may not use any',
      { file: 'src/planted.ts', code: 'export const use = (value: any): unknown => value;\n' },
      ['@typescript-eslint/no-explicit-any'],
    ],
    [
      'may not grow past 400 lines',
      { file: 'src/planted.ts', code: `export const use = 1;\n${'// a line\n'.repeat(400)}` },
      ['max-lines'],
    ],
  ],
  'apps/runs': [
    ['may import libs', importing('@aos/persistence'), []],
    ['may not import another app', importing('@aos/billing'), [boundary]],
    ['may not lean on the test harness in what is shipped', importing('@aos/testing'), [restricted]],
    ['may use the test harness in its tests', importing('@aos/testing', 'test/planted.int-spec.ts'), []],
    ['may not start embedded stores', importing('@aos/local-infra'), [boundary, restricted]],
    ['may not name a package that it does not use', manifestWith('apps/runs', 'croner'), [manifests]],
    ['may not have SQL beside its *.sql.ts', sqlIn('src/planted.ts', '`SELECT id FROM run`'), [syntax]],
    ['nor in a text', sqlIn('src/planted.ts', "'DELETE FROM run WHERE id = $1'"), [syntax]],
    ['nor inside of a text', sqlIn('src/planted.ts', '`${1}\n  WITH a AS (INSERT INTO run)`'), [syntax]],
    ['nor a change', sqlIn('src/planted.ts', '`\nUPDATE run AS r SET id = 1`'), [syntax]],
    ['may have it there', sqlIn('src/planted.sql.ts', '`SELECT id FROM run`'), []],
    ['and in migrations', sqlIn('src/planted.migrations.ts', '`DELETE FROM run`'), []],
    ['may have methods of HTTP', sqlIn('src/planted.ts', "'DELETE'"), []],
    [
      'may not break a cycle with forwardRef',
      { file: 'src/planted.ts', code: 'export const use = (forwardRef: unknown) => forwardRef;\n' },
      [syntax, syntax],
    ],
  ],
};

describe('module boundaries', () => {
  let found: RuleIds;

  beforeAll(async () => {
    // Without a graph of the projects the rule would let everything pass.
    await run(join(root, 'node_modules', '.bin', 'nx'), ['show', 'projects'], { cwd: root });
    const planted = Object.entries(cases).map(([project, all]) => [project, all.map(([, one]) => one)]);
    found = await ruleIdsOf(Object.fromEntries(planted) as Record<string, Planted[]>);
  });

  it.each(Object.keys(cases))('hold in %s', (project) => {
    const seen = cases[project]!.map(([what], index) => [what, found[project]![index]!.toSorted()]);
    expect(seen).toEqual(cases[project]!.map(([what, , expected]) => [what, expected]));
  });
});

describe('the search for imports in a circle', () => {
  let workspace: string;

  beforeEach(async () => {
    workspace = await realpath(await mkdtemp(join(tmpdir(), 'aos-imports-')));
    await mkdir(join(workspace, 'node_modules', '@aos'), { recursive: true });
    for (const folder of ['apps', 'tools']) await mkdir(join(workspace, folder));
    for (const name of ['a', 'b']) {
      const exports = { '.': { types: './src/index.ts', default: './dist/index.js' } };
      await write(`libs/${name}/package.json`, JSON.stringify({ name: `@aos/${name}`, exports }));
      await write(`libs/${name}/src/index.ts`, `export * from './one.js';\n`);
      await write(`libs/${name}/src/one.ts`, `export const one = 1;\n`);
      await symlink(join(workspace, 'libs', name), join(workspace, 'node_modules', '@aos', name));
    }
  });

  afterEach(async () => {
    await rm(workspace, { recursive: true });
  });

  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  };
  const search = (place: string) =>
    run(process.execPath, [join(root, 'tools', 'checks', 'imports.mjs'), place]).then(
      ({ stdout }) => ({ code: 0, text: stdout.trim() }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr.trim() }),
    );
  const none = { code: 0, text: 'No imports in a circle.' };
  const circle = (what: string, ...parts: string[]) => ({
    code: 1,
    text: `${what}:\n  ${parts.join('\n  → ')}`,
  });

  it('finds none where there is none', async () => {
    await write(
      'libs/a/src/two.ts',
      `import { one } from './one.js';\nimport { b } from '@aos/b';\nvoid [one, b];\n`,
    );
    expect(await search(workspace)).toEqual(none);
  });

  it('finds one within a project', async () => {
    await write('libs/a/src/two.ts', `import './three.js';\n`);
    await write('libs/a/src/three.ts', `import './two.js';\nimport './one.js';\n`);
    expect(await search(workspace)).toEqual(
      circle('Import cycle', 'libs/a/src/three.ts', 'libs/a/src/two.ts', 'libs/a/src/three.ts'),
    );
  });

  it('finds one across projects', async () => {
    await write('libs/a/src/one.ts', `export { one } from '@aos/b';\n`);
    await write('libs/b/src/one.ts', `import * as a from '@aos/a';\nexport const one = a;\n`);
    const { code, text } = await search(workspace);
    expect(code).toBe(1);
    for (const name of ['a', 'b'])
      for (const file of ['index', 'one']) expect(text).toContain(`libs/${name}/src/${file}.ts`);
  });

  it.each([
    ['of types', `import type { Two } from './two.js';\nexport type One = Two;\n`],
    ['that is re-exported', `export { two } from './two.js';\n`],
    ['at run time', `export const two = () => import('./two.js');\n`],
  ])('counts an import %s', async (_, code) => {
    await write('libs/a/src/one.ts', code);
    await write('libs/a/src/two.ts', `import './one.js';\n`);
    expect((await search(workspace)).code).toBe(1);
  });

  it('finds every one, and an import of a spec', async () => {
    await write('libs/a/src/one.ts', `import './index.js';\n`);
    await write('libs/b/src/one.spec.ts', `export const spec = 1;\n`);
    await write('libs/b/src/one.ts', `import './index.js';\nimport './one.spec.js';\n`);
    const { text } = await search(workspace);
    expect(text.match(/Import cycle/g)).toHaveLength(2);
    expect(text).toContain('import of a spec:\n  libs/b/src/one.ts\n  → libs/b/src/one.spec.ts');
  });

  describe('between folders', () => {
    it('finds two that import each other, though no file does', async () => {
      await write('libs/a/src/hall/door.ts', `import '../room/bed.js';\n`);
      await write('libs/a/src/hall/floor.ts', `export const floor = 1;\n`);
      await write('libs/a/src/room/bed.ts', `export const bed = 1;\n`);
      await write('libs/a/src/room/rug.ts', `import '../hall/floor.js';\n`);
      expect(await search(workspace)).toEqual(
        circle('Folders import each other', 'libs/a/src/hall', 'libs/a/src/room', 'libs/a/src/hall'),
      );
    });

    it('finds a circle of several wings through their inner folders', async () => {
      await write('libs/a/src/hall/one.ts', `import '../room/one.js';\n`);
      await write('libs/a/src/room/one.ts', `export const one = 1;\n`);
      await write('libs/a/src/room/two.ts', `import '../attic/deep/one.js';\n`);
      await write('libs/a/src/attic/deep/one.ts', `export const one = 1;\n`);
      await write('libs/a/src/attic/two.ts', `import '../hall/two.js';\n`);
      await write('libs/a/src/hall/two.ts', `export const two = 1;\n`);
      const [attic, hall, room] = ['attic', 'hall', 'room'].map((name) => `libs/a/src/${name}`);
      expect(await search(workspace)).toEqual(
        circle('Folders import each other', attic!, hall!, room!, attic!),
      );
    });

    it('allows one between the inner folders of a wing', async () => {
      await write('libs/a/src/hall/left/one.ts', `import '../right/one.js';\n`);
      await write('libs/a/src/hall/right/one.ts', `export const one = 1;\n`);
      await write('libs/a/src/hall/right/two.ts', `import '../left/two.js';\n`);
      await write('libs/a/src/hall/left/two.ts', `export const two = 1;\n`);
      expect(await search(workspace)).toEqual(none);
    });

    it('counts the wings of the run service and the imports between them', async () => {
      const names = Array.from({ length: 18 }, (_, index) => `wing${index}`);
      for (const [index, name] of names.entries()) {
        const targets = names.slice(index + 1, index + 6);
        const imports = targets.map((target) => `import '../${target}/one.js';\n`).join('');
        await write(`apps/runs/src/${name}/one.ts`, `${imports}export const one = 1;\n`);
      }
      expect(await search(workspace)).toEqual({
        code: 1,
        text: [
          'apps/runs/src has 18 wings; at most 17',
          'apps/runs/src has 75 imports between wings; at most 70',
          'apps/runs/src has 18 folders; at most 12',
        ].join('\n'),
      });
    });

    it('lets specs, and files beside the folders, look where they like', async () => {
      await write('libs/a/src/hall/door.ts', `import '../config.js';\nimport '../room/bed.js';\n`);
      await write('libs/a/src/room/bed.ts', `import '../config.js';\n`);
      await write('libs/a/src/room/bed.spec.ts', `import '../hall/door.js';\n`);
      await write('libs/a/src/config.ts', `export const config = 1;\n`);
      await write('libs/a/src/module.ts', `import './hall/door.js';\n`);
      expect(await search(workspace)).toEqual(none);
    });
  });
});

describe('the search for tables that are written in another wing', () => {
  let workspace: string;

  beforeEach(async () => {
    workspace = await realpath(await mkdtemp(join(tmpdir(), 'aos-tables-')));
    await write('things/thing.entity.ts', `@Entity('thing')\nexport class ThingEntity {}\n`);
    await write('things/things.sql.ts', 'export const make = `INSERT INTO thing (id) VALUES ($1)`;\n');
  });

  afterEach(async () => {
    await rm(workspace, { recursive: true });
  });

  const write = async (path: string, text: string) => {
    const file = join(workspace, 'apps', 'a', 'src', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const search = () =>
    run(process.execPath, [join(root, 'tools', 'checks', 'tables.mjs'), workspace]).then(
      ({ stdout }) => stdout.trim(),
      ({ stderr }: { stderr: string }) => stderr.trim(),
    );
  const none = 'Every table is written in the wing of its entity, or in the one file that is for it.';

  it('lets others read, and migrations write', async () => {
    await write('others/read.sql.ts', 'export const read = `SELECT id FROM thing FOR UPDATE`;\n');
    await write('others/old.migrations.ts', 'export const old = `DELETE FROM thing`;\n');
    await write('others/find.ts', 'export const find = (t: T) => t.repository(ThingEntity).findOneBy({});\n');
    expect(await search()).toBe(none);
  });

  it.each([
    ['a statement', 'export const end = `WITH a AS (DELETE FROM thing) SELECT 1`;\n'],
    ['a change', 'export const set = `UPDATE thing AS t SET id = 1`;\n'],
    ['a repository that is kept', 'export const rows = (t: T) => t.repository(ThingEntity);\n'],
    ['a repository', 'export const set = (t: T) => t\n  .repository(ThingEntity)\n  .update({}, {});\n'],
  ])('finds %s', async (_, text) => {
    await write('others/stray.ts', text);
    expect(await search()).toBe('thing of apps/a/src/things is written in\n  apps/a/src/others/stray.ts');
  });

  it('lets the inner folders of the wing write', async () => {
    await write('things/parts/parts.sql.ts', 'export const end = `DELETE FROM thing`;\n');
    expect(await search()).toBe(none);
  });

  it('lets one file alone write a table that has one', async () => {
    await write('things/thing-row.sql.ts', 'export const end = `DELETE FROM thing`;\n');
    expect(await search()).toBe(
      'thing of apps/a/src/things/thing-row.sql.ts is written in\n  apps/a/src/things/things.sql.ts',
    );
    await write('things/things.sql.ts', 'export const find = `SELECT id FROM thing`;\n');
    expect(await search()).toBe(none);
  });
});
