import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const waitMs = 8000;

/** The sources of this project compiled for child processes: unit tests run without a build. */
export class ChildBuild {
  private count = 0;

  private constructor(private readonly folder: string) {}

  static async make(): Promise<ChildBuild> {
    await mkdir(join(project, 'test-output'), { recursive: true });
    // Inside the project, where Node finds its packages and its module type.
    const folder = await mkdtemp(join(project, 'test-output', 'children-'));
    const files = await readdir(join(project, 'src'), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))) {
      const target = join(folder, file.replace(/\.ts$/, '.js'));
      const { code } = await transformFile(join(project, 'src', file), {
        configFile: join(project, '../../.swcrc'),
      });
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, code);
    }
    return new ChildBuild(folder);
  }

  /** Runs a script whose imports are relative to the sources: `import ... from './process/shutdown.js'`. */
  async start(script: string): Promise<Child> {
    this.count += 1;
    const path = join(this.folder, `child-${this.count}.mjs`);
    await writeFile(path, script);
    return new Child(fork(path, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] }));
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

export interface Line extends Record<string, unknown> {
  level: string;
  msg?: string;
}

/** A running script: its log lines, its messages, its end. */
export class Child {
  readonly messages: unknown[] = [];
  stdout = '';
  stderr = '';
  private readonly ended: Promise<number | NodeJS.Signals | null>;

  constructor(readonly process: ChildProcess) {
    process.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    process.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    process.on('message', (message) => this.messages.push(message));
    // Not 'close': Node 20 never emits it after a disconnect from this side.
    const exited = once(process, 'exit');
    const read = [process.stdout, process.stderr].map((stream) => stream && once(stream, 'close'));
    this.ended = Promise.all([exited, ...read]).then(() => process.exitCode ?? process.signalCode);
  }

  get lines(): Line[] {
    return this.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  }

  /** The exit code, or the signal that ended it. A child that does not end in time is killed and fails the test. */
  async exit(): Promise<number | NodeJS.Signals | null> {
    const timer = setTimeout(() => this.process.kill('SIGKILL'), waitMs);
    return this.ended.finally(() => clearTimeout(timer));
  }

  async line(msg: string): Promise<Line> {
    return this.until(() => this.lines.find((line) => line.msg === msg));
  }

  async message(): Promise<unknown> {
    return this.until(() => this.messages[0]);
  }

  private async until<Value>(look: () => Value | undefined): Promise<Value> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      const value = look();
      if (value !== undefined) return value;
      if (Date.now() > deadline)
        throw new Error(`Waited in vain. stdout: ${this.stdout} stderr: ${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
