// Finds import cycles in the TypeScript sources of apps, libs and tools: `node tools/check-cycles.mjs [root]`.
// Type-only imports count: two files that need each other's types are one thing cut in the wrong place.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const groups = ['apps', 'libs', 'tools'];
const skipped = new Set(['node_modules', 'dist', 'test-output']);

/** The shortest cycle of each knot of files that import each other, as paths relative to the root. */
export function findCycles(root) {
  const projects = groups.flatMap((group) => projectsIn(join(root, group)));
  const entries = new Map(projects.flatMap(entriesOf));
  const files = projects.flatMap(sourcesIn);
  const imports = new Map(files.map((file) => [file, importsOf(file, entries)]));
  return knots(imports).map((knot) => shortestCycle(knot, imports).map((file) => relative(root, file)));
}

function projectsIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .filter((project) => existsSync(join(project, 'package.json')));
}

/** What the package of a project can be imported as, and the source file behind each name. */
function entriesOf(project) {
  const { name, exports = {} } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  return Object.entries(exports)
    .filter(([, target]) => typeof target?.types === 'string')
    .map(([path, target]) => [name + path.slice(1), resolve(project, target.types)]);
}

function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : sourcesIn(path);
    return /\.[cm]?tsx?$/.test(entry.name) ? [path] : [];
  });
}

function importsOf(file, entries) {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, false);
  const found = importedFiles.map(({ fileName }) =>
    fileName.startsWith('.') ? sourceOf(resolve(dirname(file), fileName)) : entries.get(fileName),
  );
  return [...new Set(found.filter((path) => path !== undefined))];
}

/** Sources import each other by the name of what they are compiled to. */
function sourceOf(path) {
  const candidates = [
    path.replace(/\.([cm]?)js$/, '.$1ts'),
    path.replace(/\.js$/, '.tsx'),
    `${path}.ts`,
    join(path, 'index.ts'),
  ];
  return candidates.find((candidate) => /\.[cm]?tsx?$/.test(candidate) && existsSync(candidate));
}

/** Tarjan's strongly connected components, those that hold a cycle. Without recursion: chains may be long. */
function knots(imports) {
  const order = new Map();
  const lowest = new Map();
  const open = [];
  const isOpen = new Set();
  const found = [];
  const enter = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    open.push(file);
    isOpen.add(file);
    return { file, next: [...(imports.get(file) ?? [])] };
  };
  for (const start of imports.keys()) {
    if (order.has(start)) continue;
    const path = [enter(start)];
    while (path.length > 0) {
      const { file, next } = path.at(-1);
      const target = next.pop();
      if (target !== undefined) {
        if (!order.has(target)) path.push(enter(target));
        else if (isOpen.has(target)) lowest.set(file, Math.min(lowest.get(file), order.get(target)));
        continue;
      }
      path.pop();
      const importer = path.at(-1)?.file;
      if (importer) lowest.set(importer, Math.min(lowest.get(importer), lowest.get(file)));
      if (lowest.get(file) !== order.get(file)) continue;
      const knot = open.splice(open.indexOf(file));
      for (const member of knot) isOpen.delete(member);
      if (knot.length > 1 || imports.get(file)?.includes(file)) found.push(knot);
    }
  }
  return found;
}

function shortestCycle(knot, imports) {
  const members = new Set(knot);
  const cycles = knot.map((start) => {
    const paths = [[start]];
    const seen = new Set();
    for (let path = paths.shift(); path; path = paths.shift()) {
      for (const target of imports.get(path.at(-1)) ?? []) {
        if (target === start) return [...path, start];
        if (!members.has(target) || seen.has(target)) continue;
        seen.add(target);
        paths.push([...path, target]);
      }
    }
    return [];
  });
  return cycles.reduce((best, cycle) => (cycle.length < best.length ? cycle : best));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)));
  const cycles = findCycles(resolve(root));
  for (const cycle of cycles) console.error(`Import cycle:\n  ${cycle.join('\n  → ')}`);
  if (cycles.length > 0) process.exit(1);
  console.log('No import cycles.');
}
