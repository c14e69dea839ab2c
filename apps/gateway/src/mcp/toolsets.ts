import { AppError } from '@aos/contracts';

/** Adds every agent of the team as a tool of its own. */
export const agentsAsTools = 'agents-as-tools';

/** Which tools a client has asked for. */
export interface Toolsets {
  readonly agents: boolean;
  includes(toolset: string): boolean;
}

const maxNamed = 5;

/** Reads `?toolsets=`; all operations where it says nothing. */
export function parseToolsets(text: string | undefined, known: ReadonlySet<string>): Toolsets {
  const wanted = new Set((text ?? '').split(',').map((name) => name.trim()));
  wanted.delete('');
  if (wanted.size === 0) return { agents: false, includes: () => true };
  const unknown = [...wanted].filter((name) => name !== agentsAsTools && !known.has(name));
  if (unknown.length > 0) {
    const named = unknown.slice(0, maxNamed).map((name) => JSON.stringify(name));
    throw new AppError(
      'invalid_request',
      `toolsets: unknown: ${named.join(', ')}; there are ${[...known, agentsAsTools].join(', ')}`,
    );
  }
  return { agents: wanted.has(agentsAsTools), includes: (toolset) => wanted.has(toolset) };
}
