/** `respondToHumanRequest` as the name of a tool: `respond_to_human_request`; `OAuth` stays one word. */
export function toolName(operationId: string): string {
  return operationId.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** A tag as the name of a tool set: `human-requests`. */
export function toolsetName(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

/** Clients take names of 64 characters; a number may have to follow. */
const maxSlugLength = 50;

/** The names of agents as tools, in their order: `agent_<slug>`, and `_2` where one has it already. */
export function agentToolNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  // The next suffix per slug: a team may have thousands of agents with one name.
  const nextNumbers = new Map<string, number>();
  return names.map((name) => {
    const base = `agent_${slugOf(name)}`;
    let unique = base;
    let number = nextNumbers.get(base) ?? 2;
    for (; taken.has(unique); number += 1) unique = `${base}_${number}`;
    nextNumbers.set(base, number);
    taken.add(unique);
    return unique;
  });
}

function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, maxSlugLength)
    .replaceAll(/^_+|_+$/g, '');
  return slug === '' ? 'unnamed' : slug;
}
