import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const groups = ['apps', 'libs', 'tools'];
/** Not copied: what is built, what tests write, and packages, which are linked. */
const left = new Set(['node_modules', 'dist', 'test-output', '.data']);
const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

describe('npm run affected', () => {
  let copy: string;
  let manifests: Manifest[];

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'aos-affected-'));
    for (const file of [
      'package.json',
      'package-lock.json',
      'nx.json',
      'tsconfig.json',
      'tsconfig.base.json',
      '.swcrc',
    ])
      await cp(join(root, file), join(copy, file));
    for (const group of groups) {
      await cp(join(root, group), join(copy, group), {
        recursive: true,
        filter: (source) => !left.has(basename(source)),
      });
    }
    await mkdir(join(copy, 'docs'));
    await appendFile(join(copy, 'docs', 'README.md'), '# Documents\n');
    await linkPackages();
    manifests = await readManifests();
    await git('init', '--quiet', '--initial-branch', 'main');
    await appendFile(join(copy, '.gitignore'), 'node_modules\n.nx\n');
    await git('add', '--all');
    await git('-c', 'user.name=test', '-c', 'user.email=test@localhost', 'commit', '--quiet', '-m', 'all');
  });

  afterAll(() => rm(copy, { recursive: true, force: true }));

  afterEach(async () => {
    await git('reset', '--quiet', '--hard');
    await git('clean', '--quiet', '-fd');
  });

  function git(...args: string[]) {
    return run('git', args, { cwd: copy });
  }

  /** All packages, and those of the copy in place of those of the repository. */
  async function linkPackages(): Promise<void> {
    await mkdir(join(copy, 'node_modules', '@aos'), { recursive: true });
    for (const name of await readdir(join(root, 'node_modules'))) {
      if (name === '@aos' || name === '.cache') continue;
      await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name));
    }
    for (const group of groups) {
      for (const entry of await readdir(join(copy, group), { withFileTypes: true })) {
        if (!entry.isDirectory()) continue;
        await symlink(join(copy, group, entry.name), join(copy, 'node_modules', '@aos', entry.name));
      }
    }
  }

  async function readManifests(): Promise<Manifest[]> {
    const found: Manifest[] = [];
    for (const group of groups) {
      for (const name of await readdir(join(copy, group))) {
        const text = await readFile(join(copy, group, name, 'package.json'), 'utf8').catch(() => undefined);
        if (text) found.push(JSON.parse(text) as Manifest);
      }
    }
    return found;
  }

  async function affected(): Promise<string[]> {
    const { stdout } = await run(process.execPath, ['tools/affected.mjs', '--list'], { cwd: copy });
    return stdout
      .split('\n')
      .filter((line) => line.startsWith('@aos/'))
      .sort();
  }

  /** By the manifests: the project, those that name it, those that name these, and so on. */
  function withDependants(project: string): string[] {
    const found = new Set([project]);
    for (let before = 0; before < found.size;) {
      before = found.size;
      for (const { name, dependencies, devDependencies } of manifests) {
        const named = Object.keys({ ...dependencies, ...devDependencies });
        if (named.some((dependency) => found.has(dependency))) found.add(name);
      }
    }
    return [...found].sort();
  }

  it.each([
    ['apps/billing/src/main.ts', '@aos/billing'],
    ['libs/egress/src/rules/host-list.ts', '@aos/egress'],
    ['libs/code-sandbox/src/index.ts', '@aos/code-sandbox'],
  ])('takes for a change of %s the project, and all that build on it', async (file, project) => {
    await appendFile(join(copy, file), '\n// planted\n');
    const found = await affected();
    expect(found).toEqual(withDependants(project));
    expect(found.length).toBeLessThan(manifests.length);
    expect(found).not.toContain('@aos/contracts');
  });

  it('takes nothing where no project has changed, and everything where all packages may have', async () => {
    expect(await affected()).toEqual([]);
    await appendFile(join(copy, 'planted.md'), 'planted\n');
    expect(await affected()).toEqual([]);
    await appendFile(join(copy, 'tsconfig.base.json'), '\n');
    expect(await affected()).toEqual(manifests.map(({ name }) => name).sort());
  });

  it('refuses a target that there is not', async () => {
    const asked = run(process.execPath, ['tools/affected.mjs', 'paint'], { cwd: copy });
    await expect(asked).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no target paint'),
    });
  });
});
