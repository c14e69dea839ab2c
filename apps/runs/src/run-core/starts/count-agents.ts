interface RunOfAgent {
  readonly run: { readonly agent_id: string };
}

/** How many numbers an agent gives to a batch. */
export interface TakenNumbers {
  readonly agent_id: string;
  readonly taken: number;
}

/**
 * For each of the starts how many of the same agent come behind it, and the agents in the order in which all batches lock
 * their counters.
 */
export function countAgents(starts: readonly RunOfAgent[]): {
  readonly behind: readonly number[];
  readonly agents: readonly TakenNumbers[];
} {
  const counts = new Map<string, number>();
  const behind = starts.map(() => 0);
  for (let place = starts.length - 1; place >= 0; place -= 1) {
    const agentId = starts[place]!.run.agent_id;
    behind[place] = counts.get(agentId) ?? 0;
    counts.set(agentId, behind[place]! + 1);
  }
  const agents = [...counts].map(([agentId, taken]) => ({ agent_id: agentId, taken }));
  return { behind, agents: agents.sort((one, other) => (one.agent_id < other.agent_id ? -1 : 1)) };
}
