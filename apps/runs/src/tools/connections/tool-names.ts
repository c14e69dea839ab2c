import { createHash } from 'node:crypto';

/** Model providers accept `[a-zA-Z0-9_-]{1,64}`. */
const maxLength = 64;
const shortestSlug = 16;
const separator = '__';

/** The name of a connection, as names of tools begin: `our_tools`. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_');
  return trimmed(words) || 'connection';
}

/** Tools as their servers name them, each with the slug of its connection. */
export interface WantedName {
  readonly slug: string;
  readonly tool: string;
}

/**
 * A name of its own for each tool, in the order given: `<slug>__<tool>`, then `_2` and so on. The same tools get the
 * same names in whatever order a server lists them, since a run may go on in another process with names it has used.
 */
export function toolNames(wanted: readonly (readonly WantedName[])[]): string[][] {
  const taken = new Set<string>();
  return wanted.map((ofConnection) => {
    const names = new Map<WantedName, string>();
    for (const one of [...ofConnection].sort(byTool)) names.set(one, unused(joined(one), taken));
    return ofConnection.map((one) => names.get(one)!);
  });
}

function byTool(a: WantedName, b: WantedName): number {
  return a.tool < b.tool ? -1 : a.tool > b.tool ? 1 : 0;
}

function unused(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) {
    const suffix = `_${number}`;
    free = name.slice(0, maxLength - suffix.length) + suffix;
  }
  taken.add(free);
  return free;
}

/** Too long a name loses the end of the slug first; then its own end, for a digest that tells it from its like. */
function joined({ slug, tool }: WantedName): string {
  const allowed = tool.replaceAll(/[^a-zA-Z0-9_-]/g, '_') || '_';
  const room = Math.max(maxLength - separator.length - allowed.length, shortestSlug);
  const name = trimmed(slug.slice(0, room)) + separator + allowed;
  if (name.length <= maxLength) return name;
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, 8);
  return `${name.slice(0, maxLength - digest.length - 1)}_${digest}`;
}

function trimmed(slug: string): string {
  return slug.replaceAll(/^_+|_+$/g, '');
}
