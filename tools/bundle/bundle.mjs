// Joins what a program loads at its start into one file, with the code that V8 makes of it beside it:
// `node ../../tools/bundle/bundle.mjs [--memory=service|shared|free] [entry …]` in a project's folder.
// The 2,000 files of a service cost it two thirds of its start. What was built stays beside the bundle, for debuggers
// and for the helpers (threads, child processes) that a service starts by their path.
import { spawnSync } from 'node:child_process';
import { copyFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { memoryFlags, sharedMemoryFlags } from '../../libs/local-infra/dist/memory-flags.js';
import { joinFiles } from './join-files.mjs';
import { codeFileOf, wrap } from './program.mjs';

/** Flags under which a program will run: V8 takes no code that was compiled under others. */
const flagsOf = { service: memoryFlags, shared: sharedMemoryFlags, free: [] };
/** Where everything runs in containers, which have limits of their own, one setting holds for all. */
const { BUNDLE_MEMORY } = process.env;
const options = { memory: { type: 'string', default: 'service' } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const flags = flagsOf[BUNDLE_MEMORY || values.memory];
if (!flags) throw new Error(`Memory is one of ${Object.keys(flagsOf).join(', ')}`);

const folder = join(process.cwd(), 'dist');
const bundle = join(folder, 'bundle');
const entries = positionals.length > 0 ? positionals : ['main.js'];

await joinFiles({
  entryPoints: entries.map((entry) => join(folder, entry)),
  outdir: bundle,
  entryNames: '[name]',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.url': '__moduleUrl' },
  // V8 keeps the text of a program as long as it runs. Names stay, and lines are short enough to be opened.
  minifyWhitespace: true,
  lineLimit: 200,
  // Of code that was kept Node does not know any more where it would import from; what is left out is required.
  supported: { 'dynamic-import': false },
  plugins: [ownPlaces(), withoutOtherStores()],
});
await copyFile(new URL('program.mjs', import.meta.url), join(bundle, 'program.mjs'));
for (const entry of entries) await makeProgram(join(bundle, basename(entry, '.js')));

/** A module that finds its helpers by `import.meta.url` is still told where it was built, not where the bundle lies. */
function ownPlaces() {
  return {
    name: 'own-places',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/](apps|libs|tools)[\\/][^\\/]+[\\/]dist[\\/].*\.js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const place = JSON.stringify(relative(bundle, path).split(sep).join('/'));
        return { contents: text.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`) };
      });
    },
  };
}

/**
 * TypeORM brings drivers of fifteen databases and BullMQ a second store for its queues. A tenth of the program would be
 * text that V8 keeps and classes that nobody makes; who asked for one would be told that it is not a constructor.
 */
function withoutOtherStores() {
  const ownStores = /[\\/]driver[\\/]([^\\/]+\.js|(postgres|types)[\\/].*|sqlserver[\\/]MssqlParameter\.js)$/;
  return {
    name: 'without-other-stores',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/](typeorm[\\/]driver|bullmq[\\/]dist[\\/]cjs[\\/]postgres)[\\/]/ }, ({ path }) =>
        ownStores.test(path) ? undefined : { contents: 'module.exports = {};' },
      );
    },
  };
}

/** `name.cjs` is wrapped, run once for its code, and started by `name.js`. */
async function makeProgram(path) {
  const file = `${path}.cjs`;
  const code = codeFileOf(file);
  // V8 knows a program by its length alone: it would take the code of an earlier one that is as long.
  await rm(code, { force: true });
  await writeFile(file, wrap(inAscii(await readFile(file, 'utf8'))));
  await writeFile(
    `${path}.js`,
    `import { loadProgram } from './program.mjs';\n\nloadProgram(new URL('./${basename(file)}', import.meta.url).href).run();\n`,
  );
  const keepCode = fileURLToPath(new URL('keep-code.mjs', import.meta.url));
  const { signal, stderr } = spawnSync(process.execPath, [...flags, keepCode, pathToFileURL(file).href], {
    env: {},
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (signal || !(await stat(code).catch(() => undefined)))
    throw new Error(`${file} could not be run for its code: ${signal ?? stderr}`);
}

/**
 * Text of one byte a character is read and kept at half the cost. What the bundler leaves stands in comments and regular
 * expressions, where the escape means the same.
 */
function inAscii(text) {
  const notAscii = /[^\x00-\x7f]/g;
  return text.replaceAll(notAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
