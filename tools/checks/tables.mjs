// Refuses writes to a table outside the wing of its entity, the folder below `src`: `node tools/checks/tables.mjs [root]`.
// Where the entity's folder has a file `<table>-row.sql.ts`, the table is written only in that file. Migrations are exempt.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(process.argv[2] ?? dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const entity = /@Entity\('(\w+)'[^]*?export class (\w+)/g;
const statement = /\b(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z_]+)/g;
/** A repository that is not read from at once may be written to. */
const repository = /(?<!findPage\(\s*this\.transactions\.)repository\((\w+)\)(?!\s*\.(?:find|count|exists))/g;

const problems = readdirSync(join(root, 'apps')).flatMap((app) =>
  strayWrites(join(root, 'apps', app, 'src')),
);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log('Every table is written in the wing of its entity, or in the one file that is for it.');

function strayWrites(source) {
  const files = filesBelow(source).filter(
    (file) => file.endsWith('.ts') && !/\.(spec|migrations)\.ts$/.test(file),
  );
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const folders = new Map();
  const tables = new Map();
  for (const [file, text] of texts) {
    for (const [, table, name] of text.matchAll(entity)) {
      folders.set(table, dirname(file));
      tables.set(name, table);
    }
  }
  return [...texts].flatMap(([file, text]) => {
    const written = new Set([
      ...[...text.matchAll(statement)].map(([, table]) => table),
      ...[...text.matchAll(repository)].map(([, name]) => tables.get(name)),
    ]);
    return [...written]
      .filter((table) => folders.has(table) && !mayWrite(table, file))
      .map((table) => `${table} of ${here(placeOf(table))} is written in\n  ${here(file)}`);
  });

  /** Returns the only file that may write the table, or the wing whose files may. */
  function placeOf(table) {
    const file = join(folders.get(table), `${table.replaceAll('_', '-')}-row.sql.ts`);
    return texts.has(file) ? file : wingOf(folders.get(table));
  }

  function mayWrite(table, file) {
    return [file, wingOf(dirname(file))].includes(placeOf(table));
  }

  function wingOf(folder) {
    return join(source, relative(source, folder).split(sep)[0]);
  }
}

function here(path) {
  return relative(root, path).replaceAll('\\', '/');
}

function filesBelow(folder) {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}
