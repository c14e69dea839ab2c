import { MemoryFiles } from '../test/memory-files.js';
import { CodeSandbox } from './index.js';

const sandbox = new CodeSandbox();
afterAll(() => sandbox.close());

const run = (code: string, files = new MemoryFiles()) => sandbox.run(code, { files });

describe('the result of code', () => {
  it.each<[code: string, result: unknown]>([
    ['return 1.5', 1.5],
    ['1 + 1', 2],
    ['[1, 2].map((n) => n * 2) ;\n', [2, 4]],
    ['await Promise.resolve("late") // a comment', 'late'],
    ['({ a: 1 })', { a: 1 }],
    ['const a = 1; a + 1', null],
    ['// nothing', null],
    ['"use strict"; return 3', 3],
    ['return "é 🙂 \\u0000 \\ud800"', 'é 🙂 \u0000 \ud800'],
    ['return true', true],
    ['return null', null],
    ['return', null],
    ['', null],
    ['return NaN', null],
    ['return [1, [undefined, "x"], {}]', [1, [null, 'x'], {}]],
    ['return { a: { b: [1] }, c: undefined }', { a: { b: [1] } }],
    ['return new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['return Promise.resolve(7)', 7],
    ['const x = await Promise.all([1, (async () => 2)()]); return x;', [1, 2]],
    ['function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } return f(15) // the end', 610],
    ['undeclared = 3; return undeclared', 3],
    ['try { null.x } catch (error) { return error.name }', 'TypeError'],
  ])('%s', async (code, result) => {
    expect(await run(code)).toEqual({ ok: true, result, output: '' });
  });

  it.each([
    ['return 1n', 'The result cannot be given as JSON: TypeError: Do not know how to serialize a BigInt'],
    ['return () => 1', 'The result cannot be given as JSON: TypeError: it holds a function'],
    ['return { deep: [{ f() {} }] }', 'The result cannot be given as JSON: TypeError: it holds a function'],
    ['return Symbol("s")', 'The result cannot be given as JSON: TypeError: it holds a symbol'],
    ['const a = {}; a.a = a; return a', 'The result cannot be given as JSON: TypeError: circular reference'],
    [
      'return { get a() { throw new Error("no") } }',
      'The result cannot be given as JSON: Error: no (line 1)',
    ],
  ])('%s is an error', async (code, error) => {
    expect(await run(code)).toEqual({ ok: false, error: `TypeError: ${error}`, output: '' });
  });
});

describe('an error in code', () => {
  it.each([
    ['let x = ;', "SyntaxError: unexpected token in expression: ';' (line 1)"],
    ['const a = 1;\n\nif (a {', /^SyntaxError: .+ \(line 3\)$/],
    ['}) (', /^SyntaxError: .+ \(line 2\)$/],
    ['import fs from "fs"', /^SyntaxError: /],
    ['await import("fs")', "ReferenceError: could not load module 'fs'"],
    ['1;\n2;\nfoo.bar()', "ReferenceError: 'foo' is not defined (line 3)"],
    ['await null;\nconst x = {};\nx.y()', 'TypeError: not a function (line 3)'],
    ['class Own extends Error { name = "Own" }\nthrow new Own("mine")', 'Own: mine (line 1)'],
    ['throw "text"', 'Thrown: text'],
    ['throw { code: 1 }', 'Thrown: {"code":1}'],
    ['throw null', 'Thrown: null'],
    ['await Promise.reject()', 'Thrown: undefined'],
    ['await new Promise(() => {})', 'The code waits for something that never happens.'],
  ])('%s', async (code, error) => {
    const expected: unknown = typeof error === 'string' ? error : expect.stringMatching(error);
    expect(await run(code)).toEqual({ ok: false, error: expected, output: '' });
  });

  it('can be a code that is too long', async () => {
    const outcome = await run(`return 1 //${'x'.repeat(1024 * 1024)}`);
    expect(outcome).toEqual({ ok: false, error: 'The code is too long: it may have 1 MiB.', output: '' });
    expect(await run(`return 1 //${'x'.repeat(1_000_000)}`)).toMatchObject({ result: 1 });
  });
});

describe('console', () => {
  it('prints values as they are, objects as JSON, errors with their line', async () => {
    const code = `
      console.log('a', 1, null, undefined, true, 2n, Symbol('s'));
      console.info({ b: [1, { c: 2 }] }, [], 'é\\u0000');
      console.warn(new TypeError('bad'));
      console.error();
      const cycle = {}; cycle.cycle = cycle;
      console.debug(cycle, Object.create(null), { toJSON() { throw 1 } });
      throw new Error('after');`;
    expect(await run(code)).toEqual({
      ok: false,
      error: 'Error: after (line 8)',
      output:
        'a 1 null undefined true 2 Symbol(s)\n{"b":[1,{"c":2}]} [] é\u0000\nTypeError: bad (line 4)\n\n' +
        '[a value that cannot be shown] {} [a value that cannot be shown]\n',
    });
  });
});

describe('files', () => {
  it('are read, written, listed and removed', async () => {
    const files = new MemoryFiles();
    const text = 'é 🙂 \u0000 "quoted"\n';
    files.contents.set('a', text);
    const code = `
      const text = await files.read('a');
      const written = await files.write('b/c', text + text.length);
      return [await files.list(), await files.list('b'), await files.remove('a'), written === undefined];`;
    expect(await run(code, files)).toEqual({
      ok: true,
      result: [
        { files: [{ name: 'a' }, { name: 'b/c' }] },
        { files: [{ name: 'a' }, { name: 'b/c' }] },
        { removed: true },
        true,
      ],
      output: '',
    });
    expect([...files.contents]).toEqual([['b/c', text + text.length]]);
    expect(files.calls).toEqual(['read a', 'write b/c', 'list -', 'list b', 'remove a']);
  });

  it('say what is wrong, which code can catch', async () => {
    const code = `
      try { await files.read('none') } catch (error) { console.log(error instanceof Error, error.message) }
      await files.read('none');`;
    expect(await run(code)).toEqual({
      ok: false,
      error: 'Error: No file none.',
      output: 'true No file none.\n',
    });
  });

  it.each([
    ['files.read()', 'TypeError: files.read takes a path'],
    ['files.remove({ toString: () => "a" })', 'TypeError: files.remove takes a path'],
    ['files.list(null)', 'TypeError: files.list takes a path'],
    ['files.write("a")', 'TypeError: files.write takes a path and a text'],
    ['files.write("a", { b: 1 })', 'TypeError: files.write takes a path and a text'],
    ['files.read("x".repeat(5000))', 'RangeError: The path is too long'],
    ['files.write("a", "x".repeat(11 * 1024 * 1024))', 'RangeError: The text is too long for a file'],
    ['files.write("a", "é".repeat(6 * 1024 * 1024))', 'Error: A file may have 10 MiB.'],
    ['files.read("large")', 'Error: The answer of files.read may have 10 MiB.'],
  ])('%s is refused', async (call, error) => {
    const files = new MemoryFiles();
    files.contents.set('large', 'x'.repeat(10 * 1024 * 1024 + 1));
    const outcome = await run(`await ${call}`, files);
    expect(outcome.ok).toBe(false);
    expect(outcome).toMatchObject({ error: expect.stringContaining(error) as unknown });
    expect([...files.contents.keys()]).toEqual(['large']);
  });

  it('of 10 MiB go both ways', async () => {
    const files = new MemoryFiles();
    files.contents.set('a', 'x'.repeat(10 * 1024 * 1024));
    const code = `const text = await files.read('a'); await files.write('b', text); return text.length`;
    expect(await run(code, files)).toMatchObject({ ok: true, result: 10 * 1024 * 1024 });
    expect(files.contents.get('b') === files.contents.get('a')).toBe(true);
  });

  it('are called one after the other, and also when nobody awaits it', async () => {
    const files = new MemoryFiles();
    const code = `for (let i = 0; i < 5; i += 1) files.write('a', 'v' + i); files.read('a'); return 'done'`;
    expect(await run(code, files)).toEqual({ ok: true, result: 'done', output: '' });
    expect(files.calls).toEqual([...Array<string>(5).fill('write a'), 'read a']);
    expect(files.contents.get('a')).toBe('v4');
  });
});
