import { MemoryFiles } from '../memory-files.js';
import { runAlone } from '../run-alone.js';
import { threadLimits } from '../../src/code-limits.js';
import { CodeSandbox, type CodeFiles, type CodeLimits } from '../../src/index.js';

const mebibyte = 1024 * 1024;
const sandboxes: CodeSandbox[] = [];
const sandboxWith = (limits: Partial<CodeLimits>) => {
  const sandbox = new CodeSandbox({ limits });
  sandboxes.push(sandbox);
  return sandbox;
};
afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())));

/** Runs hostile code, and sees that the sandbox still works. */
async function endure(sandbox: CodeSandbox, code: string, files: CodeFiles = new MemoryFiles()) {
  const outcome = await sandbox.run(code, { files });
  expect(await sandbox.run('return 1 + 1', { files })).toEqual({ ok: true, result: 2, output: '' });
  return outcome;
}

/** Sees that the event loop goes on meanwhile. What takes no time proves nothing: it may be over in the first turn. */
async function besideTheLoop<T>(work: () => Promise<T>): Promise<T> {
  let turns = 0;
  const immediate = setImmediate(() => (turns += 1));
  const outcome = await work();
  clearImmediate(immediate);
  expect(turns).toBeGreaterThan(0);
  return outcome;
}

describe('time', () => {
  const sandbox = sandboxWith({ cpuMs: 400 });

  it.each([
    ['a loop', 'while (true);'],
    ['a loop that catches', 'for (;;) { try { for (;;); } catch {} finally { continue } }'],
    ['a loop in an async function', 'for (;;) { try { await (async () => { for (;;); })() } catch {} }'],
    ['microtasks', 'for (;;) await null'],
    ['microtasks beside the code', 'const f = () => { Promise.resolve().then(f) }; f(); return 1'],
    ['a regular expression', 'return /(a+)+$/.test("a".repeat(40) + "b")'],
    ['a getter of the result', 'return { get a() { for (;;); } }'],
    ['toJSON of the result', 'return { toJSON() { for (;;); } }'],
    ['a thrown error', 'throw Object.defineProperty(new Error(), "stack", { get() { for (;;); } })'],
    [
      'an iterator',
      'return [...{ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: undefined }) }) }]',
    ],
    ['file calls that fail', 'for (;;) { try { await files.read(1) } catch {} }'],
  ])('that code computes is limited: %s', async (_, code) => {
    const outcome = await besideTheLoop(() => endure(sandbox, code));
    expect(outcome).toEqual({ ok: false, error: 'The code computed for longer than 0.4 s.', output: '' });
  });

  it('keeps what was printed', async () => {
    const outcome = await endure(sandbox, 'console.log("begun"); for (;;);');
    expect(outcome).toMatchObject({ ok: false, output: 'begun\n' });
  });

  it('that code waits for files is not time it computes', async () => {
    const slow = new MemoryFiles();
    slow.list = () => new Promise((resolve) => setTimeout(() => resolve('slow'), 600));
    expect(await endure(sandbox, 'return await files.list()', slow)).toMatchObject({
      ok: true,
      result: 'slow',
    });
  });

  it.each([
    ['a wait for a file', 'console.log("begun"); await files.list()'],
    // QuickJS does not look at the time in there; the thread is ended.
    ['a native loop', 'console.log("begun"); Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'],
  ])('in all is limited: %s', async (_, code) => {
    const stuck = new MemoryFiles();
    stuck.list = () => new Promise(() => undefined);
    const limited = sandboxWith({ cpuMs: 200, wallMs: 800 });
    const outcome = await besideTheLoop(() => endure(limited, code, stuck));
    expect(outcome).toEqual({
      ok: false,
      error: 'The code ran for longer than 0.8 s, its waits for files included.',
      output: 'begun\n',
    });
  });
});

describe('memory', () => {
  const sandbox = sandboxWith({ memoryBytes: 32 * mebibyte });

  it.each([
    ['arrays', 'a = []; while (1) a.push(new Array(1e6).fill(1))'],
    ['small objects', 'a = []; while (1) a.push({})'],
    ['small objects in a function', 'await (async () => { const a = []; while (1) a.push({}) })()'],
    ['small objects that stay', 'await (async () => { a = []; while (1) a.push({}) })()'],
    ['strings', 'a = []; while (1) a.push("x".repeat(1e6) + a.length)'],
    ['a map', 'const m = new Map(); for (let i = 0; ; i += 1) m.set(i, {})'],
    ['properties', 'const o = {}; for (let i = 0; ; i += 1) o["k" + i] = i'],
    ['a buffer', 'new ArrayBuffer(1e9)'],
    ['a shared buffer', 'new SharedArrayBuffer(1e9)'],
    ['buffers', 'a = []; while (1) a.push(new ArrayBuffer(1e6))'],
    ['typed arrays', 'a = []; while (1) a.push(new Float64Array(1e5).fill(1))'],
    ['promises', 'p = []; while (1) p.push(new Promise(() => {}).then(() => {}))'],
  ])('is limited: %s', async (_, code) => {
    const outcome = await endure(sandbox, code);
    expect(outcome).toEqual({
      ok: false,
      error: 'The code ran out of memory: it may use 32 MiB.',
      output: '',
    });
  });

  it('is limited where QuickJS does not survive the lack of it', async () => {
    const outcome = await endure(sandbox, 'p = []; while (1) p.push(files.list().catch(() => {}))');
    expect(outcome).toMatchObject({ ok: false, error: expect.stringContaining('memory') as unknown });
  });

  it('that is too little can be caught', async () => {
    const code = 'try { new ArrayBuffer(1e9) } catch (error) { return error.message }';
    expect(await endure(sandbox, code)).toEqual({ ok: true, result: 'out of memory', output: '' });
  });

  it('is there up to the limit, and no further', async () => {
    const code = `a = []; try { for (;;) a.push(new Uint8Array(2 ** 20).fill(7)) } catch {} return a.length`;
    const outcome = await endure(sandbox, code);
    const mebibytes = outcome.ok ? Number(outcome.result) : 0;
    expect(mebibytes).toBeGreaterThanOrEqual(24);
    expect(mebibytes).toBeLessThanOrEqual(32);
  });

  it('does not hold a text that doubles', async () => {
    const outcome = await endure(sandbox, 'let s = "x"; while (1) s += s');
    expect(outcome).toMatchObject({ ok: false, error: expect.stringContaining('too long') as unknown });
  });
});

describe('depth', () => {
  const sandbox = sandboxWith({});
  const deep = 'let x = []; for (let i = 0; i < 2e4; i += 1) x = [x];';

  it.each([
    ['recursion', 'const f = () => f() + 1; f()'],
    ['JSON.parse', 'JSON.parse("[".repeat(1e6))'],
    ['toString', `${deep} x.toString()`],
    ['flat', `${deep} x.flat(Infinity)`],
    ['a regular expression', 'new RegExp("(?:".repeat(1e5))'],
    ['brackets', 'eval("(".repeat(1e5))'],
    ['functions', 'new Function("[".repeat(1e5))'],
    ['proxies', 'let p = {}; for (let i = 0; i < 1e5; i += 1) p = new Proxy(p, {}); p.x'],
    ['callbacks', 'const f = () => "a".replace(/a/, f); f()'],
    ['getters', 'const o = { get a() { return JSON.stringify(o) } }; JSON.stringify(o)'],
    ['async functions', 'const f = async () => { await f() }; await f()'],
  ])('is limited: %s', async (_, code) => {
    const outcome = await endure(sandbox, code);
    expect(outcome).toMatchObject({ ok: false, error: expect.stringContaining('stack overflow') as unknown });
  });

  // The deepest of what was tried. Frames twice as large as on this machine are those in half of the stack.
  it.each([
    ['brackets', 'eval("(".repeat(1e5))'],
    ['objects', 'eval("({a:".repeat(1e5))'],
    ['calls', 'eval("a(".repeat(1e5))'],
    ['optional chains', 'eval("a?.[".repeat(1e5))'],
  ])('is limited where frames are twice as large: %s', async (_, code) => {
    const resourceLimits = { ...threadLimits, stackSizeMb: threadLimits.stackSizeMb / 2 };
    const outcome = await runAlone(code, resourceLimits);
    expect(outcome).toMatchObject({ ok: false, error: expect.stringContaining('stack overflow') as unknown });
  });

  it('of a result is limited', async () => {
    const nested = (levels: number) => `return JSON.parse('['.repeat(${levels}) + ']'.repeat(${levels}))`;
    expect(await endure(sandbox, nested(100))).toMatchObject({ ok: true });
    const error = 'The result is nested too deeply: it may have 100 levels.';
    expect(await endure(sandbox, nested(101))).toEqual({ ok: false, error, output: '' });
    expect(await endure(sandbox, nested(5_000))).toEqual({ ok: false, error, output: '' });
  });

  it('that is too much can be caught', async () => {
    const code = 'const f = () => f() + 1; try { f() } catch (error) { return error.message }';
    expect(await endure(sandbox, code)).toEqual({ ok: true, result: 'stack overflow', output: '' });
  });
});

describe('what goes out', () => {
  const sandbox = sandboxWith({ outputBytes: 100, resultBytes: 100, fileCalls: 3, cpuMs: 400 });
  const note = '\n[the output was cut at 100 bytes]\n';

  it.each([
    ['one text', 'console.log("x".repeat(5e6))'],
    ['many texts', 'for (let i = 0; i < 1000; i += 1) console.log("x".repeat(150))'],
    ['many values', 'console.log(...Array(1000).fill("xxxxxxxxxx"))'],
    ['without end', 'for (;;) console.log("x".repeat(150))'],
  ])('has an output that is cut: %s', async (_, code) => {
    const { output } = await endure(sandbox, code);
    expect(output.endsWith(note)).toBe(true);
    expect(Buffer.byteLength(output)).toBe(100 + note.length);
  });

  it('has a result of limited size', async () => {
    expect(await endure(sandbox, 'return "x".repeat(98)')).toMatchObject({ ok: true });
    const outcome = await endure(sandbox, 'return "x".repeat(99)');
    expect(outcome).toMatchObject({
      ok: false,
      error: 'RangeError: The result is too large: 101 characters of JSON',
    });
    expect(await endure(sandbox, 'return "é".repeat(50)')).toMatchObject({
      ok: false,
      error: 'The result is too large: it may have 100 bytes of JSON.',
    });
  });

  it('has a limited number of file calls', async () => {
    const files = new MemoryFiles();
    const outcome = await endure(sandbox, 'for (;;) await files.list()', files);
    const error = 'Error: The code has made 3 file calls; it may not make more (line 1)';
    expect(outcome).toEqual({ ok: false, error, output: '' });
    expect(files.calls).toHaveLength(3);
  });
});
