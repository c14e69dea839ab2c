// Refuses `*` of a table in statements that are prepared: `node tools/checks/prepared-sql.mjs [root]`. A statement that
// was prepared before a release added a column gives other columns than it was prepared with, and Postgres refuses it.
// It reads every statement that a file with `PreparedStatements` imports from a `*.sql.ts`, and the function that makes it.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(process.argv[2] ?? dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const imported = /import \{([^}]*)\} from '(\.[^']*\.sql)\.js'/g;
/** What a star may stand for: parts of the same statement, and rows that a caller gives. */
const part = /(\w+)(?:\([^)]*\))? AS (?:MATERIALIZED )?\(|\) AS (\w+)|(jsonb_to_recordset|unnest)\(/g;
const star = /(?:(\w+)\.\*|(SELECT|RETURNING)(?: DISTINCT| ALL)? \*(?:[^]*?FROM (\w+|\())?)/g;

const problems = sources().flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  if (!/\bPreparedStatements\b/.test(text)) return [];
  return importsOf(file, text).flatMap(([name, sql]) => starsOf(sql, name));
});
for (const problem of new Set(problems)) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log('Every prepared statement names its columns.');

function starsOf(file, name) {
  const text = readFileSync(file, 'utf8');
  const statement = declarationOf(text, name);
  const parts = new Set([...statement.matchAll(part)].flatMap(([, ...names]) => names));
  const stars = [...statement.matchAll(star)]
    .filter(([, table, word, source]) => (word === 'RETURNING' ? true : !isPart(table ?? source, parts)))
    .map(([found]) => `${relative(root, file)}: ${name} is prepared and has ${found.split('\n')[0]}`);
  const [, maker] = statement.match(/^export const \w+ = (\w+)\(/) ?? [];
  return maker ? [...stars, ...starsOf(new Map(importsOf(file, text)).get(maker) ?? file, maker)] : stars;
}

/** The names that a file imports from `*.sql.ts`, each with the path of its file. */
function importsOf(file, text) {
  return [...text.matchAll(imported)].flatMap(([, names, path]) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
      .map((name) => [name, `${join(dirname(file), path)}.ts`]),
  );
}

function isPart(source, parts) {
  return source === '(' || source === 'input' || parts.has(source);
}

/** From its name to the next declaration. */
function declarationOf(text, name) {
  const start = text.search(new RegExp(`export (const|function) ${name}\\b`));
  if (start < 0) return '';
  const next = text.slice(start + 1).search(/\n(?:\/\*\*|export |function |const )/);
  return next < 0 ? text.slice(start) : text.slice(start, start + 1 + next);
}

function sources() {
  return ['apps', 'libs'].flatMap((part) =>
    readdirSync(join(root, part), { recursive: true })
      .filter((path) => /^[^/]+\/src\/.*(?<!\.spec)\.ts$/.test(path.replaceAll('\\', '/')))
      .map((path) => join(root, part, path)),
  );
}
