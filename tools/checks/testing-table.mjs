// Writes the table of docs/testing.md that says which promise is held at which depth: `node tools/checks/testing-table.mjs`. Its
// rows are the titles of the suites in `test` folders. With `--check` it only fails when the table is out of date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const page = join(root, 'docs', 'testing.md');
const suite = /^describe\w*(?:\.each\([^]*?\))?\(\s*(?:\w+,\s*|\{[^}]*\},\s*)?(['"`])(.*?)\1,/gm;
/** Suites that several services have, by the function that declares them. */
const tables = /^describeTables\(/m;

const rows = ['apps', 'libs', 'tools'].flatMap((group) =>
  readdirSync(join(root, group)).flatMap((name) => rowsOf(join(group, name))),
);
const table = tableOf([['project', 'promise', 'depth'], ...rows]);
const text = readFileSync(page, 'utf8');
const [start, end] = ['<!-- suites -->\n', '<!-- end of suites -->'];
const written = text.replace(new RegExp(`${start}[^]*${end}`), () => `${start}\n${table}\n${end}`);
if (!process.argv.includes('--check')) writeFileSync(page, written);
else if (written !== text) {
  console.error(
    'docs/testing.md: the table of suites is out of date; run node tools/checks/testing-table.mjs',
  );
  process.exit(1);
}

function rowsOf(project) {
  const promises = new Map();
  for (const file of filesBelow(join(project, 'test')).filter((path) => path.endsWith('spec.ts'))) {
    const source = readFileSync(join(root, file), 'utf8');
    const titles = [...source.matchAll(suite)].map(([, , title]) => title.replaceAll(/\$\{?\w+\}?/g, '…'));
    if (tables.test(source)) titles.push('the tables of the service');
    if (titles.length === 0) throw new Error(`${file} has no suite with a title`);
    const depth = file.includes(`${sep}deep${sep}`) ? '`--full`' : 'default';
    for (const title of titles) promises.set(title, new Set([...(promises.get(title) ?? []), depth]));
  }
  const name = project.split(sep).at(-1);
  return [...promises].sort().map(([title, of]) => [name, title, [...of].sort().join(', ')]);
}

/** In the form that the formatter gives a table. */
function tableOf(cells) {
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const [head, ...lines] = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column])));
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...lines].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path));
}
