import { MemoryFiles } from '../memory-files.js';
import { settlesItself } from '../settles-itself.js';
import { CodeThread } from '../../src/code-thread.js';
import { CodeSandbox, type CodeSandboxOptions } from '../../src/index.js';

const sandboxes: CodeSandbox[] = [];
const started: CodeThread[] = [];
const { start } = CodeThread;
beforeAll(() => {
  CodeThread.start = async (...args) => {
    const thread = await start(...args);
    started.push(thread);
    return thread;
  };
});
beforeEach(() => (started.length = 0));
afterAll(async () => {
  CodeThread.start = start;
  await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
});

const sandboxOf = (options: CodeSandboxOptions) => {
  const sandbox = new CodeSandbox({ maxWorkers: 1, ...options });
  sandboxes.push(sandbox);
  const files = new MemoryFiles();
  const run = (code: string, signal?: AbortSignal) => sandbox.run(code, { files, signal });
  return { sandbox, files, run };
};

/** Without an end the test runs out of its time. */
async function ended(thread: CodeThread): Promise<void> {
  while (!thread.hasEnded) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('a thread is used again', () => {
  it.each([
    ['a result', 'return 1'],
    ['an error', 'throw new Error("mine")'],
    ['code that cannot be read', 'let x = ;'],
    ['a promise that nothing settles', 'await new Promise(() => {})'],
    ['calls that nobody awaits', 'files.list(); files.write("a", ""); throw 1'],
    ['calls that it did not wait for', settlesItself],
  ])('after %s', async (_, code) => {
    const { run } = sandboxOf({});
    for (let n = 0; n < 3; n += 1) await run(code);
    expect(await run('return 1 + 1')).toEqual({ ok: true, result: 2, output: '' });
    expect(started).toHaveLength(1);
  });

  it('by all owners, and there are no more than there may be', async () => {
    const { sandbox, files } = sandboxOf({ maxWorkers: 2 });
    const runs = Array.from({ length: 30 }, (_, n) =>
      sandbox.run(`return ${n}`, { files, owner: `owner ${n % 3}` }),
    );
    const outcomes = await Promise.all(runs);
    expect(outcomes.map((outcome) => outcome.ok && outcome.result)).toEqual(outcomes.map((_, n) => n));
    expect(started).toHaveLength(2);
  });
});

describe('of the run before the next sees', () => {
  const mebibyte = 1024 * 1024;

  it.each<[what: string, before: string, after: string, result: unknown]>([
    [
      'no globals',
      'leak = globalThis.kept = 1; var v = 2; eval("var w = 3")',
      'typeof leak + typeof kept',
      'undefinedundefined',
    ],
    ['no lexical names', 'eval("let l = 1"); return 1', 'typeof l', 'undefined'],
    [
      'no changed prototypes',
      'Object.prototype.x = Array.prototype.y = 1; Promise.prototype.then = null',
      '[typeof {}.x, typeof [].y, await Promise.resolve(3)]',
      ['undefined', 'undefined', 3],
    ],
    [
      'no changed functions',
      'JSON.parse = JSON.stringify = Math.max = String = () => "mine"',
      '[JSON.parse("[1]"), Math.max(1, 2), String(4)]',
      [[1], 2, '4'],
    ],
    [
      'no frozen objects',
      'Object.freeze(globalThis); Object.freeze(Object.prototype); return 1',
      '(globalThis.a = 1, Object.isFrozen(Object.prototype))',
      false,
    ],
    [
      'no changed console or files',
      'console.log = files.read = null; files = 1',
      '[typeof console.log, typeof files.read]',
      ['function', 'function'],
    ],
    [
      'no symbols',
      'Symbol.for("kept").description; globalThis[Symbol.for("kept")] = 1',
      'Symbol.for("kept") in globalThis',
      false,
    ],
    [
      'no state of regular expressions',
      'globalThis.r = /a/g; r.test("aa"); RegExp.prototype.exec = null',
      '/a/g.lastIndex + "" + /a/.test("a")',
      '0true',
    ],
    [
      'no calls counted',
      'for (let i = 0; i < 900; i += 1) await files.list()',
      'let n = 0; for (; n < 900; n += 1) await files.list(); return n',
      900,
    ],
  ])('%s', async (_, before, after, result) => {
    const { run } = sandboxOf({});
    await run(before);
    expect(await run(after)).toEqual({ ok: true, result, output: '' });
    expect(started).toHaveLength(1);
  });

  it('no jobs: what was to happen later does not happen', async () => {
    const { run, files } = sandboxOf({});
    await run(
      'const later = new Promise((r) => { globalThis.go = r }); later.then(() => files.write("late", "")); return 1',
    );
    await run('globalThis.go?.(); await null; return await files.list()');
    expect(files.calls).toEqual(['list -']);
    expect(started).toHaveLength(1);
  });

  it('no answers to calls that it did not wait for', async () => {
    const { run, files } = sandboxOf({});
    for (let n = 0; n < 5; n += 1) {
      files.contents.set('a', `not yours ${n}`);
      await run(settlesItself);
      files.contents.set('b', `yours ${n}`);
      const own = await run('return [await files.read("b"), await files.read("b")]');
      expect(own).toMatchObject({ result: [`yours ${n}`, `yours ${n}`] });
    }
    expect(started).toHaveLength(1);
  });

  it('no answer that comes late', async () => {
    const { run, files } = sandboxOf({});
    await run('await files.list()');
    const [thread] = started;
    const comeLate = () => thread!['tell']({ kind: 'answer', number: 1, json: '{"ok":true,"value":"late"}' });
    comeLate();
    files.read = async () => {
      comeLate();
      return 'its own';
    };
    expect(await run('return await files.read("a")')).toEqual({ ok: true, result: 'its own', output: '' });
    expect(started).toHaveLength(1);
  });

  it('no output', async () => {
    const { run } = sandboxOf({ limits: { outputBytes: 100 } });
    expect(await run('console.log("x".repeat(500))')).toMatchObject({ ok: true });
    expect(await run('console.log("mine")')).toMatchObject({ ok: true, output: 'mine\n' });
    expect(started).toHaveLength(1);
  });

  it('none of its time', async () => {
    const { run } = sandboxOf({ limits: { cpuMs: 1_000 } });
    const busy = 'const end = Date.now() + 400; while (Date.now() < end); return 1';
    for (let n = 0; n < 4; n += 1) expect(await run(busy)).toMatchObject({ result: 1 });
    expect(started).toHaveLength(1);
  });

  it('as much memory as if it were the first', async () => {
    const { run } = sandboxOf({ limits: { memoryBytes: 16 * mebibyte } });
    const fill =
      'a = []; for (let n = 0; n < 8; n += 1) a.push(new Uint8Array(2 ** 20).fill(7)); return a.length';
    for (let n = 0; n < 5; n += 1) expect(await run(fill)).toMatchObject({ ok: true, result: 8 });
    expect(started).toHaveLength(1);
  });
});

describe('a thread is thrown away', () => {
  const limits = { cpuMs: 300, wallMs: 900, memoryBytes: 32 * 1024 * 1024 };

  it.each([
    ['computed for too long', 'for (;;);'],
    ['ran for too long', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'],
    ['ran out of memory', 'a = []; while (1) a.push({})'],
    [
      'ran out of memory and caught it',
      'a = []; try { for (;;) a.push(new Uint8Array(2 ** 20)) } catch { a = 0; return 1 }',
    ],
    ['made its memory grow', 'return new Uint8Array(20 * 2 ** 20).length'],
    ['ran out of stack', 'const f = () => f() + 1; f()'],
    ['broke its machine', 'p = []; while (1) p.push(files.list().catch(() => {}))'],
  ])('when code %s', async (_, code) => {
    const { run } = sandboxOf({ limits });
    await run(code);
    expect(started[0]!.hasEnded).toBe(true);
    expect(await run('return 1 + 1')).toMatchObject({ result: 2 });
    expect(started).toHaveLength(2);
  });

  it('when it makes a second file call before the first is answered', async () => {
    const { run, files } = sandboxOf({});
    const second = { kind: 'call', number: 2, call: { method: 'list', args: [] } };
    files.read = async () => {
      started[0]!['worker'].emit('message', second);
      return 'text';
    };
    expect(await run('return await files.read("a")')).toMatchObject({
      ok: false,
      error: expect.stringContaining('The code broke the machine it ran in') as unknown,
    });
    expect(files.calls).toEqual([]);
    expect(started[0]!.hasEnded).toBe(true);
    expect(await run('return 1 + 1')).toMatchObject({ result: 2 });
  });

  it('when its run is ended', async () => {
    const { run, files } = sandboxOf({});
    const controller = new AbortController();
    files.list = async () => controller.abort(new Error('stopped'));
    await expect(run('await files.list(); for (;;);', controller.signal)).rejects.toThrow('stopped');
    expect(started[0]!.hasEnded).toBe(true);
  });
});

describe('a thread that waits for work', () => {
  it('ends after a while, and the next run starts another', async () => {
    const { run } = sandboxOf({ idleMs: 50 });
    await run('return 1');
    await ended(started[0]!);
    expect(await run('return 2')).toMatchObject({ result: 2 });
    expect(started).toHaveLength(2);
  });

  it('ends when the sandbox is closed', async () => {
    const { sandbox, run } = sandboxOf({});
    await run('return 1');
    await sandbox.close();
    expect(started[0]!.hasEnded).toBe(true);
  });
});
