import { noCounts, type Counter, type Counts } from '../usage-records/counters.js';
import type { NewUsage } from '../usage-records/usage-records.repository.js';

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };
type Sum = Writable<NewUsage> & { readonly counts: Writable<Counts> };

/**
 * Sums many events into one record per team, agent, model and UTC day, with the ID of the first event and the latest
 * name of the agent. Every event of every run passes here, so sums are updated in place.
 */
export function sumsOfUsage(used: Iterable<NewUsage>): NewUsage[] {
  const sums = new Map<string, Sum>();
  for (const usage of used) {
    const key = `${usage.team_id} ${usage.agent_id} ${usage.occurred_at.slice(0, 10)} ${usage.model}`;
    const sum = sums.get(key) ?? { ...usage, counts: { ...noCounts } };
    sums.set(key, sum);
    add(sum, usage);
  }
  return [...sums.values()];
}

function add(sum: Sum, usage: NewUsage): void {
  for (const counter of Object.keys(usage.counts) as Counter[])
    sum.counts[counter] += usage.counts[counter] ?? 0;
  const isNewer = usage.occurred_at > sum.occurred_at;
  sum.agent_name = (isNewer ? usage.agent_name : null) ?? sum.agent_name ?? usage.agent_name;
  if (isNewer) sum.occurred_at = usage.occurred_at;
}
