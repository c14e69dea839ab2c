import { MemoryFiles } from '../test/memory-files.js';
import { settlesItself } from '../test/settles-itself.js';
import { CodeSandbox } from './index.js';

const sandbox = new CodeSandbox();
afterAll(() => sandbox.close());

const run = (code: string, files = new MemoryFiles()) => sandbox.run(code, { files });

describe('code sees nothing of the host', () => {
  it('has the globals of ECMAScript, console and files', async () => {
    const names =
      'process require module Buffer fetch setTimeout setInterval setImmediate queueMicrotask ' +
      'WebAssembly Deno Bun window self global std os print scriptArgs navigator performance Worker Atomics';
    const code = `return ${JSON.stringify(names.split(' '))}.filter((name) => name in globalThis)`;
    expect(await run(code)).toEqual({ ok: true, result: [], output: '' });
    expect(await run('return [typeof console.log, Object.keys(files)]')).toMatchObject({
      result: ['function', ['read', 'write', 'list', 'remove']],
    });
  });

  it.each([
    ['constructor.constructor("return process")()', "ReferenceError: 'process' is not defined"],
    ['console.log.constructor("return process")()', "ReferenceError: 'process' is not defined"],
    ['files.read.constructor("return require")()', "ReferenceError: 'require' is not defined"],
    ['(await files.list()).constructor.constructor("return process")()', "'process' is not defined"],
    [
      'await files.read("x").catch((error) => error.constructor.constructor("return process")())',
      "'process' is not defined",
    ],
    ['await import("node:fs")', 'could not load module'],
    ['await import("./sandbox.js")', 'could not load module'],
    ['(async () => {}).constructor("return import(\'fs\')")()', 'could not load module'],
    ['eval("import(\'fs\')")', 'could not load module'],
    ['return import.meta', 'SyntaxError'],
  ])('%s', async (code, error) => {
    const outcome = await run(code.startsWith('return') ? code : `return await ${code}`);
    expect(outcome).toMatchObject({ ok: false });
    expect(outcome).toMatchObject({ error: expect.stringContaining(error) as unknown });
  });
});

describe('code that changes the built-in objects harms only itself', () => {
  it.each<[code: string, result: unknown]>([
    ['Object.prototype.toJSON = () => 7; return { a: 1 }', 7],
    ['JSON.stringify = () => "}"; JSON.parse = null; return { a: await files.read("a") }', { a: 'text' }],
    ['Promise.prototype.then = () => { throw 1 }; return await files.read("a")', 'text'],
    ['Promise = null; Error = null; String = null; return await files.read("a")', 'text'],
    [
      'Array.prototype.toJSON = () => "no"; String.prototype.toJSON = () => "no"; return await files.read("a")',
      'text',
    ],
    ['console = null; return 1', 1],
    ['files = null; globalThis.globalThis = null; return 1', 1],
    ['Object.freeze(globalThis); Object.freeze(Object.prototype); return await files.read("a")', 'text'],
    ['return { then(resolve) { resolve(5) } }', 5],
    [
      'return new Proxy({ a: 1 }, { get: (target, key) => key === "then" ? undefined : String(key) })',
      { a: 'a' },
    ],
    ['return 1 }), (async () => { return 2', 2],
  ])('%s', async (code, result) => {
    const files = new MemoryFiles();
    files.contents.set('a', 'text');
    const outcome = await run(code, files);
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome).toMatchObject({ result });
  });

  it('gives keys that are special here as keys', async () => {
    const outcome = await run('return JSON.parse(\'{"__proto__": {"polluted": 1}, "constructor": 2}\')');
    if (!outcome.ok) throw new Error(outcome.error);
    expect(Object.keys(outcome.result as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(outcome.result)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('prints and throws as before', async () => {
    const code = `
      String.prototype.slice = String.prototype.indexOf = Function.prototype.call = null;
      String = parseInt = JSON.stringify = () => { throw 1 };
      console.log('printed', { a: 1 });
      throw new Error('thrown');`;
    expect(await run(code)).toEqual({
      ok: false,
      error: 'Error: thrown (line 5)',
      output: 'printed {"a":1}\n',
    });
  });

  it.each([
    [
      'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })',
      'Thrown: [a value that cannot be shown]',
    ],
    ['throw Object.create(null)', 'Thrown: {}'],
    ['throw Object.assign(new Error(), { toString: () => ({}) })', '[a value that cannot be shown]'],
    ['throw Object.assign(new Error("x"), { stack: "code.js:99:1" })', 'Error: x (line 99)'],
    [
      'Object.defineProperty(Error, Symbol.hasInstance, { value() { throw 1 } }); throw new Error("x")',
      'Thrown: [a value that cannot be shown]',
    ],
  ])('%s', async (code, error) => {
    expect(await run(code)).toEqual({ ok: false, error, output: '' });
  });

  it('has a long error cut', async () => {
    const outcome = await run('throw new Error("x".repeat(1e6))');
    expect(outcome).toMatchObject({ ok: false });
    expect(outcome.ok ? 0 : outcome.error.length).toBeLessThan(5_000);
  });
});

describe('code that settles its waits for files itself', () => {
  /** Counts the calls that are under way. */
  class BusyFiles extends MemoryFiles {
    most = 0;
    private now = 0;

    override async read(path: string): Promise<string> {
      this.now += 1;
      this.most = Math.max(this.most, this.now);
      await new Promise(setImmediate);
      this.now -= 1;
      return super.read(path);
    }
  }

  it('has one call under way, and the others fail', async () => {
    const files = new BusyFiles();
    const code = `${settlesItself}
      const ends = await Promise.allSettled(reads);
      return ends.map(({ status, reason }) => reason ? reason.message : status);`;
    expect(await run(code, files)).toEqual({
      ok: true,
      result: ['fulfilled', ...Array.from({ length: 19 }, () => 'Another file call is under way')],
      output: '',
    });
    expect([files.calls, files.most]).toEqual([['read a'], 1]);
  });

  it('has one call under way also when it goes on and on', async () => {
    const files = new BusyFiles();
    const code = `${settlesItself}
      for (let n = 0; n < 20; n += 1) {
        await files.list().catch(() => {});
        replace(null, (settle) => settle('{"ok":true}'));
        for (let n = 0; n < 3; n += 1) files.read('a');
        for (let n = 0; n < 100; n += 1) await null;
        replace(constructor, then);
      }`;
    expect(await run(code, files)).toMatchObject({ ok: true });
    expect(files.most).toBe(1);
  });

  it('has none of its code called when a call is refused', async () => {
    const code = `
      let called = 0;
      for (const name of ['message', 'name', 'stack'])
        Object.defineProperty(Error.prototype, name, { get: () => '', set: () => { called += 1 } });
      ${settlesItself}
      return called;`;
    expect(await run(code)).toMatchObject({ ok: true, result: 0 });
  });
});
