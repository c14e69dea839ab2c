// Copied beside every joined program (bundle.mjs). Runs it from the code that V8 compiled of it when it was built: to
// parse and compile 15 MB of JavaScript anew takes half of a service's start. Node brings this from version 22.1 on.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

/** What the program expects around it; it has no names of its own outside. */
export const wrap = (program) => `(function (require, module, __moduleUrl) {${program}\n})`;

/** Where V8's code of a program lies. */
export const codeFileOf = (file) => `${file}.code`;

/** `url` names the wrapped program. V8 refuses code of another version or made under other flags, and compiles then. */
export function loadProgram(url) {
  const filename = fileURLToPath(url);
  const script = new vm.Script(readFileSync(filename, 'latin1'), { filename, cachedData: codeOf(filename) });
  const run = () => script.runInThisContext()(createRequire(url), { exports: {} }, url);
  return { script, run };
}

function codeOf(filename) {
  try {
    return readFileSync(codeFileOf(filename));
  } catch {
    return undefined;
  }
}
