import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

interface Planted {
  readonly file: string;
  readonly code: string;
}

/** Lints texts as if they were files of a project; they lie nowhere, so nobody else trips over them. */
async function ruleIdsOf(project: string, files: readonly Planted[]): Promise<string[][]> {
  const program = `
    import { ESLint } from 'eslint';
    const eslint = new ESLint({ overrideConfigFile: '../../tools/eslint.config.mjs' });
    for (const { file, code } of ${JSON.stringify(files)}) {
      const [result] = await eslint.lintText(code, { filePath: file });
      console.log(JSON.stringify(result.messages.map(({ ruleId, message }) => ruleId ?? message)));
    }`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(root, project),
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string[]);
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
    [
      'may not break a cycle with forwardRef',
      { file: 'src/planted.ts', code: 'export const use = (forwardRef: unknown) => forwardRef;\n' },
      [syntax, syntax],
    ],
  ],
};

describe('module boundaries', () => {
  beforeAll(async () => {
    // Without a graph of the projects the rule would let everything pass.
    await run(join(root, 'node_modules', '.bin', 'nx'), ['show', 'projects'], { cwd: root });
  });

  it.each(Object.keys(cases))('hold in %s', async (project) => {
    const found = await ruleIdsOf(
      project,
      cases[project]!.map(([, planted]) => planted),
    );
    const seen = cases[project]!.map(([what], index) => [what, found[index]!.toSorted()]);
    expect(seen).toEqual(cases[project]!.map(([what, , expected]) => [what, expected]));
  });
});

describe('the search for import cycles', () => {
  let workspace: string;

  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'aos-cycles-'));
    for (const name of ['a', 'b']) {
      const exports = { '.': { types: './src/index.ts', default: './dist/index.js' } };
      await write(`libs/${name}/package.json`, JSON.stringify({ name: `@aos/${name}`, exports }));
      await write(`libs/${name}/src/index.ts`, `export * from './one.js';\n`);
      await write(`libs/${name}/src/one.ts`, `export const one = 1;\n`);
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
    run(process.execPath, [join(root, 'tools', 'check-cycles.mjs'), place]).then(
      ({ stdout }) => ({ code: 0, text: stdout.trim() }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr.trim() }),
    );
  const cycle = (...files: string[]) => `Import cycle:\n  ${files.join('\n  → ')}`;

  it('finds none in this workspace', async () => {
    expect(await search(root)).toEqual({ code: 0, text: 'No import cycles.' });
  });

  it('finds none where there is none', async () => {
    await write(
      'libs/a/src/two.ts',
      `import { one } from './one.js';\nimport { b } from '@aos/b';\nvoid [one, b];\n`,
    );
    expect(await search(workspace)).toEqual({ code: 0, text: 'No import cycles.' });
  });

  it('finds one within a project, and its shortest form', async () => {
    await write('libs/a/src/one.ts', `import './two.js';\n`);
    await write('libs/a/src/two.ts', `import './three.js';\n`);
    await write('libs/a/src/three.ts', `import './two.js';\nimport './one.js';\n`);
    expect(await search(workspace)).toEqual({
      code: 1,
      text: cycle('libs/a/src/two.ts', 'libs/a/src/three.ts', 'libs/a/src/two.ts'),
    });
  });

  it('finds one across projects', async () => {
    await write('libs/a/src/one.ts', `export { one } from '@aos/b';\n`);
    await write('libs/b/src/one.ts', `import * as a from '@aos/a';\nexport const one = a;\n`);
    const { code, text } = await search(workspace);
    expect(code).toBe(1);
    for (const file of [
      'libs/a/src/index.ts',
      'libs/a/src/one.ts',
      'libs/b/src/index.ts',
      'libs/b/src/one.ts',
    ])
      expect(text).toContain(file);
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

  it('finds a file that imports itself, and every knot', async () => {
    await write('libs/a/src/one.ts', `import './one.js';\n`);
    await write('libs/b/src/one.ts', `import './index.js';\n`);
    expect((await search(workspace)).text.match(/Import cycle/g)).toHaveLength(2);
  });
});
