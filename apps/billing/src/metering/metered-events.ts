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
  type EventDefinition,
  type EventUsage,
  type TypedBusEvent,
} from '@aos/contracts';
import { counters, type Counter } from '../usage-records/counters.js';
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

type Amounts = Partial<Record<Counter, number>>;

/** What an event stands for by its name and data. */
function countsOfEvent({ event, data }: Pick<BusEvent, 'event' | 'data'>): Amounts | undefined {
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

/** What the event adds to the usage of its team; nothing if it adds nothing. */
export function usageOf(event: TypedBusEvent<EventDefinition>): NewUsage | undefined {
  const { id, created_at, meta } = event;
  if (meta.team_id === null) return undefined;
  const data = event.data as Record<string, unknown>;
  // By the counters that have the same meaning.
  const { agent_id, agent_name, model = '', reopened, ...used }: EventUsage = meta.usage ?? {};
  const amounts: Amounts = { ...used, ...countsOfEvent({ event: event.event, data }) };
  if (reopened) amounts.runs_reopened = reopened;
  if (!counters.some((counter) => (amounts[counter] ?? 0) > 0)) return undefined;
  return {
    ...amounts,
    id,
    team_id: meta.team_id,
    agent_id: agent_id ?? (data['agent_id'] as string | undefined) ?? null,
    agent_name: agent_name ?? null,
    model,
    occurred_at: created_at,
  };
}
