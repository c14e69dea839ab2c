import {
  artifactUsed,
  builderUsed,
  deliveriesCounted,
  humanRequestCreated,
  judgeUsed,
  mcpCallsCounted,
  runCompleted,
  runFailed,
  runMessageCreated,
  runPaused,
  runStarted,
  runToolCallCompleted,
  runUsed,
  type BusEvent,
  type EventUsage,
} from '@aos/contracts';
import type { Counter, Counts } from '../usage-records/counters.js';
import type { NewUsage } from '../usage-records/usage-records.repository.js';

/** Every event that may add to the usage of a team. */
export const meteredEvents = [
  runStarted,
  runPaused,
  runCompleted,
  runFailed,
  runMessageCreated,
  runToolCallCompleted,
  runUsed,
  humanRequestCreated,
  builderUsed,
  judgeUsed,
  artifactUsed,
  deliveriesCounted,
  mcpCallsCounted,
];

function countsOfEvent({ event, data }: Pick<BusEvent, 'event' | 'data'>): Partial<Counts> | undefined {
  switch (event) {
    case runStarted.name:
      return { runs_started: 1 };
    case runCompleted.name:
      return data['status'] === 'stopped' ? { runs_stopped: 1 } : { runs_completed: 1 };
    case runFailed.name:
      return { runs_failed: 1 };
    case humanRequestCreated.name:
      return { human_requests: 1 };
    case deliveriesCounted.name:
      return { webhook_deliveries: data['deliveries'] as number };
    case mcpCallsCounted.name:
      return { mcp_calls: data['calls'] as number };
    default:
      return undefined;
  }
}

/** Returns the usage that the event adds to its team, if any. */
export function usageOf({ id, event, created_at, data, meta }: BusEvent): NewUsage | undefined {
  if (meta.team_id === null) return undefined;
  // By the counters that have the same meaning.
  const { agent_id, agent_name, model = '', reopened, ...used }: EventUsage = meta.usage ?? {};
  const counts: Partial<Record<Counter, number>> = { ...used, ...countsOfEvent({ event, data }) };
  if (reopened) counts.runs_reopened = reopened;
  if (!Object.values(counts).some((count = 0) => count > 0)) return undefined;
  return {
    id,
    team_id: meta.team_id,
    agent_id: agent_id ?? (data['agent_id'] as string | undefined) ?? null,
    agent_name: agent_name ?? null,
    model,
    occurred_at: created_at,
    counts,
  };
}
