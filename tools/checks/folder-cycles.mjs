/**
 * The cycles between neighbouring folders of a project's sources. Folders beside each other are rooms of one storey:
 * one may use another, or be used by it. A file beside them is a room of its own. Specs may look anywhere.
 */
export function folderCycles(modules) {
  const storeys = new Map();
  for (const { source, dependencies } of modules.filter(isShipped)) {
    for (const { resolved } of dependencies.filter((dependency) =>
      isShipped({ source: dependency.resolved }),
    )) {
      const rooms = neighbours(source, resolved);
      if (!rooms) continue;
      const { storey, from, to } = rooms;
      if (!storeys.has(storey)) storeys.set(storey, new Map());
      const graph = storeys.get(storey);
      graph.set(from, (graph.get(from) ?? new Set()).add(to));
    }
  }
  // A cycle of files alone is one between files.
  return [...storeys.values()]
    .flatMap(cyclesOf)
    .filter((rooms) => rooms.some((room) => !/\.tsx?$/.test(room)));
}

const isShipped = ({ source }) =>
  /^(apps|libs|tools)\/[^/]+\/src\/.+\.tsx?$/.test(source) && !/\.spec\.tsx?$/.test(source);

/** The folder that holds both, and the two parts of it in which they are; nothing for files of one part. */
function neighbours(source, target) {
  const [from, to] = [source.split('/'), target.split('/')];
  let depth = 0;
  while (from[depth] === to[depth] && depth < from.length) depth += 1;
  // Different projects, or the same file.
  if (depth < 3 || depth === from.length) return undefined;
  const part = (path) => path.slice(0, depth + 1).join('/');
  return { storey: from.slice(0, depth).join('/'), from: part(from), to: part(to) };
}

/** One shortest cycle for each room that is in one, without repeating it for its other rooms. */
function cyclesOf(graph) {
  const told = new Set();
  const cycles = [];
  for (const start of [...graph.keys()].sort()) {
    if (told.has(start)) continue;
    const cycle = shortestCycle(start, graph);
    if (!cycle) continue;
    for (const room of cycle) told.add(room);
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
