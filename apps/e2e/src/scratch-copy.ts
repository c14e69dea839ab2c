import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** Not copied: what tests write, bundles, and packages, which are linked. */
const left = new Set(['node_modules', 'bundle', 'test', 'test-output', '.data']);

/** A copy of the apps and libraries, with what is built of them, in which a test may change files. */
export class ScratchCopy {
  private constructor(private readonly folder: string) {}

  static async make(): Promise<ScratchCopy> {
    const copy = new ScratchCopy(await mkdtemp(join(tmpdir(), 'aos-scratch-')));
    for (const file of ['package.json', 'tsconfig.base.json', '.swcrc']) {
      await cp(join(root, file), copy.path(file));
    }
    await linkAll(join(root, 'node_modules'), copy.path('node_modules'));
    await mkdir(copy.path('node_modules/@aos'));
    for (const group of ['apps', 'libs']) {
      for (const name of await readdir(join(root, group))) await copy.take(group, name);
    }
    return copy;
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  async change(file: string, edit: (text: string) => string): Promise<void> {
    await writeFile(this.path(file), edit(await readFile(this.path(file), 'utf8')));
  }

  /** Checks the types of some files, and of what they import; throws what the compiler says. */
  async typecheck(files: readonly string[]): Promise<void> {
    await writeFile(this.path('tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', files }));
    await this.run('.', join(root, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.json']);
  }

  /** Compiles the project of a file again. */
  async build(file: string): Promise<void> {
    const project = file.split('/').slice(0, 2).join('/');
    await this.run(project, process.execPath, [join(root, 'tools', 'build.mjs'), '--code']);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  private async take(group: string, name: string): Promise<void> {
    const project = join(group, name);
    await cp(join(root, project), this.path(project), {
      recursive: true,
      filter: (source) => !left.has(basename(source)),
    });
    await linkAll(join(root, project, 'node_modules'), this.path(join(project, 'node_modules')));
    await symlink(this.path(project), this.path(join('node_modules', '@aos', name)));
  }

  private async run(project: string, command: string, args: readonly string[]): Promise<void> {
    await run(command, args, { cwd: this.path(project) }).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => {
        throw new Error(`${command} ${args.join(' ')} in ${project} failed:\n${stdout}${stderr}`);
      },
    );
  }
}

/** All packages of a folder but those of this repository. */
async function linkAll(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(() => []);
  if (names.length === 0) return;
  await mkdir(to, { recursive: true });
  for (const name of names) if (name !== '@aos') await symlink(join(from, name), join(to, name));
}
