/** The largest import graph of a project: its wings with the files beside them, and the imports between those. */
const limits = { 'apps/runs/src': { wings: 17, imports: 70 } };
const maxFolders = 12;

/**
 * Checks the imports between the wings of each project. A wing is a folder directly below `src`, or a file there. Wings
 * must not import each other in a circle; inside a wing only files must not. Specs may import from anywhere.
 */
export function wingProblems(modules) {
  return [...importsBetweenWings(modules)].flatMap(([source, graph]) => [
    ...cyclesOf(graph)
      // A cycle of files alone is reported as one between files.
      .filter((wings) => wings.some((wing) => !/\.tsx?$/.test(wing)))
      .map((wings) => `Folders import each other:\n  ${wings.join('\n  → ')}`),
    ...excessOf(source, graph),
  ]);
}

/** Checks that no source folder has more folders than a reader can scan. */
export function crowdedFolders(modules) {
  const folders = new Map();
  for (const { source: file } of modules) {
    const parts = file.split('/');
    for (let depth = 3; depth < parts.length - 1; depth += 1) {
      const parent = parts.slice(0, depth).join('/');
      folders.set(parent, (folders.get(parent) ?? new Set()).add(parts[depth]));
    }
  }
  return [...folders]
    .filter(([parent, names]) => /^(apps|libs|tools)\/[^/]+\/src/.test(parent) && names.size > maxFolders)
    .map(([parent, names]) => `${parent} has ${names.size} folders; at most ${maxFolders}`);
}

/** Maps each source folder to the imports between its wings. */
function importsBetweenWings(modules) {
  const sources = new Map();
  for (const { source: file, dependencies } of modules) {
    const from = wingOf(file);
    if (!from) continue;
    const graph = sources.get(from.source) ?? new Map();
    sources.set(from.source, graph);
    const targets = graph.get(from.wing) ?? new Set();
    graph.set(from.wing, targets);
    for (const { resolved } of dependencies) {
      const to = wingOf(resolved);
      if (to && to.source === from.source && to.wing !== from.wing) targets.add(to.wing);
    }
  }
  return sources;
}

function wingOf(file) {
  if (/\.spec\.tsx?$/.test(file)) return undefined;
  const [wing, source] =
    file.match(/^((?:apps|libs|tools)\/[^/]+\/src)\/(?:[^/]+\.tsx?$|[^/]+(?=\/.+\.tsx?$))/) ?? [];
  return wing && { wing, source };
}

function excessOf(source, graph) {
  const most = limits[source];
  if (!most) return [];
  const imports = [...graph.values()].reduce((sum, targets) => sum + targets.size, 0);
  return [
    ...(graph.size > most.wings ? [`${source} has ${graph.size} wings; at most ${most.wings}`] : []),
    ...(imports > most.imports
      ? [`${source} has ${imports} imports between wings; at most ${most.imports}`]
      : []),
  ];
}

/** Finds one shortest cycle for each wing that is in one, and reports it once. */
function cyclesOf(graph) {
  const reported = new Set();
  const cycles = [];
  for (const start of [...graph.keys()].sort()) {
    if (reported.has(start)) continue;
    const cycle = shortestCycle(start, graph);
    if (!cycle) continue;
    for (const wing of cycle) reported.add(wing);
    cycles.push(cycle);
  }
  return cycles;
}

function shortestCycle(start, graph) {
  const paths = [[start]];
  const seen = new Set();
  for (let path = paths.shift(); path; path = paths.shift()) {
    for (const target of graph.get(path.at(-1)) ?? []) {
      if (target === start) return [...path, start];
      if (seen.has(target)) continue;
      seen.add(target);
      paths.push([...path, target]);
    }
  }
  return undefined;
}
