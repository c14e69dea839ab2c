// Joins what a program loads at its start into one file: `node ../../tools/bundle.mjs [entry …]` in a project's folder.
// The 2,000 files of a service cost it two thirds of its start. What was built stays beside the bundle, for debuggers
// and for the helpers (threads, child processes) that a service starts by their path.
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { joinFiles } from './join-files.mjs';

const folder = join(process.cwd(), 'dist');
const bundle = join(folder, 'bundle');
const entries = process.argv.length > 2 ? process.argv.slice(2) : ['main.js'];

await joinFiles({
  entryPoints: entries.map((entry) => join(folder, entry)),
  outdir: bundle,
  entryNames: '[name]',
  plugins: [ownPlaces()],
});

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
