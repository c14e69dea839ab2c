import { counters } from '../usage-records/counters.js';
import type { NewUsage } from '../usage-records/usage-records.repository.js';

/**
 * What many events add, as one record for each team, agent, model and day (UTC). It has the id of the first of its
 * events, and the name that the agent had last.
 */
export function sumsOfUsage(used: readonly NewUsage[]): NewUsage[] {
  const sums = new Map<string, NewUsage>();
  for (const usage of used) {
    const key = `${usage.team_id} ${usage.agent_id} ${usage.occurred_at.slice(0, 10)} ${usage.model}`;
    const sum = sums.get(key);
    sums.set(key, sum ? sumOf(sum, usage) : usage);
  }
  return [...sums.values()];
}

function sumOf(sum: NewUsage, usage: NewUsage): NewUsage {
  const isNewer = usage.occurred_at > sum.occurred_at;
  return {
    ...sum,
    ...Object.fromEntries(counters.map((name) => [name, (sum[name] ?? 0) + (usage[name] ?? 0)])),
    agent_name: (isNewer ? usage.agent_name : null) ?? sum.agent_name ?? usage.agent_name,
    occurred_at: isNewer ? usage.occurred_at : sum.occurred_at,
  };
}
