/**
 * The beginning of code whose `await` of a promise goes on at once, also where the sandbox waits for its files. At the
 * end of it the code has called `files.read` twenty times, and the promises are in `reads`.
 */
export const settlesItself = `
  const { constructor, then } = Promise.prototype;
  const replace = (constructor, then) =>
    Object.defineProperties(Promise.prototype, {
      constructor: { get: () => constructor, configurable: true },
      then: { value: then, configurable: true },
    });
  replace(null, (settle) => settle('{"ok":true}'));
  const reads = [];
  for (let n = 0; n < 20; n += 1) reads.push(files.read('a'));
  // Until all of them have come as far as they can.
  for (let n = 0; n < 100; n += 1) await null;
  replace(constructor, then);`;
