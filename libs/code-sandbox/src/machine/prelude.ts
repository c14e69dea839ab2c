/** The name under which code appears in the stacks of its errors. */
export const codeFileName = 'code.js';

/**
 * The part of the sandbox that runs inside QuickJS, before the code. It takes what it needs of the globals at once,
 * because the code may replace them. All that it gives to the host is a text, by `JSON.stringify` of a primitive,
 * which calls nothing of the code's and keeps NUL and lone surrogates.
 *
 * File calls are made one after the other: what waits is held in the memory of the code, and the order is kept. Code
 * that replaces the methods of promises can break the order, for `await` uses them; then `send` refuses.
 */
export const prelude = `(function (send, print, outputBytes, resultBytes, fileBytes, fileCalls) {
  'use strict';
  const { parse, stringify } = JSON;
  const PromiseOf = Promise, ErrorOf = Error, TypeErrorOf = TypeError, RangeErrorOf = RangeError;
  const textOf = String, numberIn = parseInt;
  const slice = Function.prototype.call.bind(String.prototype.slice);
  const find = Function.prototype.call.bind(String.prototype.indexOf);
  const pathLength = 4096, errorLength = 4096;

  const describeError = (error) => {
    const text = textOf(error);
    const stack = error.stack;
    const at = typeof stack === 'string' ? find(stack, '${codeFileName}:') : -1;
    const line = at < 0 ? 0 : numberIn(slice(stack, at + ${codeFileName.length + 1}), 10);
    return line > 0 ? slice(text, 0, errorLength) + ' (line ' + line + ')' : slice(text, 0, errorLength);
  };
  const show = (value) => {
    try {
      if (typeof value === 'string') return value;
      if (typeof value !== 'object' || value === null) return textOf(value);
      if (value instanceof ErrorOf) return describeError(value);
      return stringify(value) ?? textOf(value);
    } catch {
      return '[a value that cannot be shown]';
    }
  };
  const describe = (error) => {
    let isError = false;
    try {
      isError = error instanceof ErrorOf;
    } catch {}
    return stringify(slice(isError ? show(error) : 'Thrown: ' + show(error), 0, errorLength + 32));
  };

  const log = (...values) => {
    let text = '';
    for (let index = 0; index < values.length; index += 1) {
      text += (index > 0 ? ' ' : '') + show(values[index]);
      if (text.length > outputBytes) break;
    }
    print(stringify(slice(text + '\\n', 0, outputBytes + 1)));
  };

  let last;
  let calls = 0;
  let settle;
  const callFiles = async (method, path, content) => {
    if (typeof path !== 'string' && !(method === 'list' && path === undefined))
      throw new TypeErrorOf('files.' + method + ' takes a path');
    if (path !== undefined && path.length > pathLength) throw new RangeErrorOf('The path is too long');
    if (method === 'write') {
      if (typeof content !== 'string') throw new TypeErrorOf('files.write takes a path and a text');
      if (content.length > fileBytes) throw new RangeErrorOf('The text is too long for a file');
    }
    calls += 1;
    if (calls > fileCalls) throw new ErrorOf('The code has made ' + fileCalls + ' file calls; it may not make more');
    const before = last;
    let release;
    last = new PromiseOf((resolve) => {
      release = resolve;
    });
    await before;
    try {
      let settleThis, isSent;
      const answered = new PromiseOf((resolve) => {
        settleThis = resolve;
      });
      if (path === undefined) isSent = send(method);
      else if (content === undefined) isSent = send(method, stringify(path));
      else isSent = send(method, stringify(path), stringify(content));
      if (!isSent) throw new ErrorOf('Another file call is under way');
      settle = settleThis;
      const answer = parse(await answered);
      if (answer.ok === true) return answer.value;
      throw new ErrorOf(answer.error);
    } finally {
      release();
    }
  };

  const resultOf = (value) => {
    let json;
    try {
      json = stringify(value, (key, item) => {
        if (typeof item === 'function' || typeof item === 'symbol') throw new TypeErrorOf('it holds a ' + typeof item);
        return item;
      });
    } catch (error) {
      throw new TypeErrorOf('The result cannot be given as JSON: ' + show(error));
    }
    if (json === undefined) return 'null';
    if (json.length > resultBytes) throw new RangeErrorOf('The result is too large: ' + json.length + ' characters of JSON');
    return json;
  };

  globalThis.console = { log, info: log, warn: log, error: log, debug: log };
  globalThis.files = {
    read: (path) => callFiles('read', path),
    write: (path, content) => callFiles('write', path, content === undefined ? null : content),
    list: (path) => callFiles('list', path),
    remove: (path) => callFiles('remove', path),
  };
  return { resultOf, describe, settle: (json) => settle(json) };
})`;
