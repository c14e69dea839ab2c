import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MemoryFiles } from '../test/memory-files.js';
import { runAlone } from '../test/run-alone.js';
import { CodeSandbox } from './index.js';

const sandboxes: CodeSandbox[] = [];
const sandboxOf = (maxWorkers: number) => {
  const sandbox = new CodeSandbox({ maxWorkers, limits: { fileCalls: 1_000_000 } });
  sandboxes.push(sandbox);
  return sandbox;
};
afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())));

/** Files whose `list` tells that code has come there, and answers when it is let go. */
class Gate extends MemoryFiles {
  private readonly events = new EventTarget();
  readonly reached = once(this.events, 'reached');
  readonly opened = once(this.events, 'opened');

  open(): void {
    this.events.dispatchEvent(new Event('opened'));
  }

  override async list(): Promise<unknown> {
    this.events.dispatchEvent(new Event('reached'));
    await this.opened;
    return [];
  }
}

describe('runs at the same time', () => {
  it('do not see each other', async () => {
    const sandbox = sandboxOf(2);
    const [first, second] = [new Gate(), new Gate()];
    const code = (name: string) => `
      const before = typeof globalThis.name;
      globalThis.name = '${name}';
      Object.prototype['${name}'] = 1;
      await files.list();
      return [before, name, typeof {}.first, typeof {}.second];`;
    const runs = [
      sandbox.run(code('first'), { files: first }),
      sandbox.run(code('second'), { files: second }),
    ];
    await Promise.all([first.reached, second.reached]);
    first.open();
    second.open();
    expect(await Promise.all(runs)).toEqual([
      { ok: true, result: ['undefined', 'first', 'number', 'undefined'], output: '' },
      { ok: true, result: ['undefined', 'second', 'undefined', 'number'], output: '' },
    ]);
    const after = await sandbox.run('return [typeof globalThis.name, typeof {}.first]', { files: first });
    expect(after).toMatchObject({ result: ['undefined', 'undefined'] });
  });

  it('are at most as many as there may be; the others wait their turn', async () => {
    const sandbox = sandboxOf(1);
    const gate = new Gate();
    const ended: string[] = [];
    const start = async (name: string, code: string) => {
      await sandbox.run(code, { files: gate });
      ended.push(name);
    };
    const runs = [
      start('first', 'await files.list(); await files.write("first", "")'),
      start('second', 'await files.write("second", "")'),
      start('third', 'await files.write("third", "")'),
    ];
    await gate.reached;
    expect(gate.calls).toEqual([]);
    gate.open();
    await Promise.all(runs);
    expect(ended).toEqual(['first', 'second', 'third']);
    expect(gate.calls).toEqual(['write first', 'write second', 'write third']);
  });
});

describe('a signal', () => {
  const stopped = new Error('stopped');

  it('ends code that computes', async () => {
    const sandbox = sandboxOf(1);
    const gate = new Gate();
    const controller = new AbortController();
    const run = sandbox.run('files.list(); await null; for (;;);', {
      files: gate,
      signal: controller.signal,
    });
    await gate.reached;
    controller.abort(stopped);
    await expect(run).rejects.toBe(stopped);
    expect(await sandbox.run('return 1', { files: gate })).toMatchObject({ result: 1 });
  });

  it('ends code that waits, whose calls are not made any more', async () => {
    const sandbox = sandboxOf(1);
    const gate = new Gate();
    const controller = new AbortController();
    const code = 'await files.list(); for (;;) await files.write("a", "")';
    const run = sandbox.run(code, { files: gate, signal: controller.signal });
    await gate.reached;
    controller.abort(stopped);
    gate.open();
    await expect(run).rejects.toBe(stopped);
    expect(await sandbox.run('return 1', { files: gate })).toMatchObject({ result: 1 });
    expect(gate.calls).toEqual([]);
  });

  it('ends a run that waits for its turn, or does not begin it', async () => {
    const sandbox = sandboxOf(1);
    const gate = new Gate();
    const first = sandbox.run('return await files.list()', { files: gate });
    const controller = new AbortController();
    const second = sandbox.run('await files.write("a", "")', { files: gate, signal: controller.signal });
    controller.abort(stopped);
    await expect(second).rejects.toBe(stopped);
    await expect(sandbox.run('', { files: gate, signal: controller.signal })).rejects.toBe(stopped);
    gate.open();
    expect(await first).toMatchObject({ ok: true });
    expect(await sandbox.run('return 1', { files: gate })).toMatchObject({ result: 1 });
    expect(gate.calls).toEqual([]);
  });
});

describe('a thread', () => {
  const files = new MemoryFiles();

  it('that breaks is an outcome of the code', async () => {
    // With so little stack it is the thread that runs out of it, not QuickJS.
    const outcome = await runAlone('console.log("begun"); eval("(".repeat(1e5))', { stackSizeMb: 1 });
    expect(outcome).toEqual({
      ok: false,
      error: expect.stringContaining('The code broke the machine it ran in') as unknown,
      output: 'begun\n',
    });
  });

  it('that does not start is not', async () => {
    const sandbox = new CodeSandbox({ limits: { memoryBytes: 2 ** 40 } });
    await expect(sandbox.run('return 1', { files })).rejects.toMatchObject({
      message: 'The thread for code did not start.',
      cause: { name: 'RangeError', message: expect.stringContaining('WebAssembly.Memory') as unknown },
    });
  });
});

describe('close', () => {
  it('ends the runs, those that wait too, and takes no more', async () => {
    const sandbox = new CodeSandbox({ maxWorkers: 1 });
    const gate = new Gate();
    const first = sandbox.run('files.list(); await null; for (;;);', { files: gate });
    const second = sandbox.run('return 1', { files: gate });
    const ends = Promise.allSettled([first, second]);
    await gate.reached;
    await sandbox.close();
    const closed = { status: 'rejected', reason: new Error('The code sandbox is closed.') };
    expect(await ends).toEqual([closed, closed]);
    await expect(sandbox.run('return 1', { files: gate })).rejects.toThrow('The code sandbox is closed.');
    await sandbox.close();
  });

  it.each([
    ['after a run, without it', 'console.log(JSON.stringify(await sandbox.run("return 1", { files })));'],
    [
      'in the middle of a run',
      `const run = sandbox.run('files.list(); await null; for (;;);', { files });
       run.catch((error) => console.log(error.message));
       await listed; await sandbox.close();`,
    ],
  ])('lets the process end: %s', async (_, script) => {
    const library = fileURLToPath(new URL('../dist/index.js', import.meta.url));
    const program = `
      import { CodeSandbox } from ${JSON.stringify(library)};
      const sandbox = new CodeSandbox();
      let tell;
      const listed = new Promise((resolve) => { tell = resolve; });
      const files = { list: async () => { tell(); await new Promise(() => {}); } };
      ${script}`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    expect(stdout.trim()).toBe(
      script.includes('close') ? 'The code sandbox is closed.' : '{"ok":true,"result":1,"output":""}',
    );
  });
});
