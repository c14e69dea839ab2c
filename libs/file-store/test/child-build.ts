import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';
import type { Task } from './child-main.js';

const project = dirname(dirname(fileURLToPath(import.meta.url)));

/** The sources and `child-main.ts` compiled for processes of their own: unit tests run without a build. */
export class ChildBuild {
  private readonly children = new Set<ChildProcess>();

  private constructor(private readonly folder: string) {}

  static async make(): Promise<ChildBuild> {
    await mkdir(join(project, 'test-output'), { recursive: true });
    // Inside the project, where Node finds its packages and its module type.
    const folder = await mkdtemp(join(project, 'test-output', 'children-'));
    const all = await readdir(join(project, 'src'), { recursive: true });
    const sources = all.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
    for (const file of [...sources.map((name) => join('src', name)), 'test/child-main.ts']) {
      const { code } = await transformFile(join(project, file), {
        configFile: join(project, '../../.swcrc'),
      });
      const target = join(folder, file.replace(/\.ts$/, '.js'));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, code);
    }
    return new ChildBuild(folder);
  }

  /** Starts the task; its first message is its result, or tells how far it has come. */
  async start<Message>(task: Task): Promise<{ child: ChildProcess; message: Message }> {
    const child = fork(join(this.folder, 'test/child-main.js'), [JSON.stringify(task)], { execArgv: [] });
    this.children.add(child);
    const exited = once(child, 'exit').then(([code]) => {
      this.children.delete(child);
      throw new Error(`The child ended with ${String(code)} before it said anything`);
    });
    const [message] = await Promise.race([once(child, 'message'), exited]);
    exited.catch(() => undefined);
    return { child, message: message as Message };
  }

  async remove(): Promise<void> {
    for (const child of this.children) child.kill('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }
}
