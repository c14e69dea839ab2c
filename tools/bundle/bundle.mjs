// Joins what a program loads at its start into one file, with the code that V8 makes of it beside it. The 2,000 files of a
// service cost it two thirds of its start. What was built stays beside the bundle, for debuggers and for the helpers
// (threads, child processes) that a service starts by their path.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { joinFiles } from './join-files.mjs';
import { codeFileOf, wrap } from './program.mjs';

/** esbuild holds 0.5 GB for one program and 0.15 for each further one; each group reads the files that all share again. */
const joinedAtOnce = 4;

/**
 * Bundles programs: `folder` of their project, `entry` in its `dist`, and the `flags` they run under. Several are joined
 * at once, for esbuild then reads a file that they share only once; while it joins the next, V8 compiles the last.
 */
export async function bundle(programs) {
  const compiled = Array.from({ length: availableParallelism() }, () => Promise.resolve());
  for (let first = 0; first < programs.length; first += joinedAtOnce) {
    const group = programs.slice(first, first + joinedAtOnce);
    await joinPrograms(group);
    group.forEach((program, index) => {
      const lane = (first + index) % compiled.length;
      compiled[lane] = compiled[lane].then(() => makeProgram(program));
    });
  }
  await Promise.all(compiled);
}

async function joinPrograms(programs) {
  const root = dirname(dirname(programs[0].folder));
  // V8 knows a program by its length alone: it would take the code of an earlier one that is as long.
  for (const program of programs) rmSync(codeFileOf(`${pathOf(program)}.cjs`), { force: true });
  await joinFiles({
    entryPoints: programs.map((program) => ({
      in: join(program.folder, 'dist', program.entry),
      out: relative(root, pathOf(program)),
    })),
    outdir: root,
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.url': '__moduleUrl' },
    // V8 keeps the text of a program as long as it runs. Names stay, and lines are short enough to be opened.
    minifyWhitespace: true,
    lineLimit: 200,
    // Code from V8's cache has no place to import from, so packages that are not bundled are required.
    supported: { 'dynamic-import': false },
    plugins: [ownPlaces(root), withoutOtherStores()],
    finish: (text) => wrap(inAscii(text)),
  });
}

function pathOf({ folder, entry }) {
  return join(folder, 'dist', 'bundle', basename(entry, '.js'));
}

/** A module that finds its helpers by `import.meta.url` is still told where it was built, not where the bundle lies. */
function ownPlaces(root) {
  return {
    name: 'own-places',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/](apps|libs|tools)[\\/][^\\/]+[\\/]dist[\\/].*\.js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        // Every bundle lies four folders below the root.
        const place = JSON.stringify(`../../../../${relative(root, path).split(sep).join('/')}`);
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

/** `name.cjs` is run once for its code, and started by `name.js`. */
async function makeProgram(program) {
  const path = pathOf(program);
  const file = `${path}.cjs`;
  copyFileSync(new URL('program.mjs', import.meta.url), join(dirname(path), 'program.mjs'));
  writeFileSync(
    `${path}.js`,
    `import { loadProgram } from './program.mjs';\n\nloadProgram(new URL('./${basename(file)}', import.meta.url).href).run();\n`,
  );
  const keepCode = fileURLToPath(new URL('keep-code.mjs', import.meta.url));
  const failure = await runQuietly([...program.flags, keepCode, pathToFileURL(file).href]);
  if (!existsSync(codeFileOf(file))) throw new Error(`${file} could not be run for its code: ${failure}`);
}

/** Runs Node without settings; resolves to what it wrote on its error output, or why it was ended. */
function runQuietly(args) {
  const child = spawn(process.execPath, args, {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 120_000,
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (_, signal) => resolve(signal ?? output));
  });
}

/**
 * Text of one byte a character is read and kept at half the cost. What the bundler leaves stands in comments and regular
 * expressions, where the escape means the same.
 */
function inAscii(text) {
  const notAscii = /[^\x00-\x7f]/g;
  return text.replaceAll(notAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
