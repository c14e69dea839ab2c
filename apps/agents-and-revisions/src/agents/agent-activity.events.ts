import { runStarted, type TypedBusEvent } from '@aos/contracts';
import { ConsumesByStatement, type EventStatement } from '@aos/events';
import { Injectable } from '@nestjs/common';
import { noteRuns } from './agents.sql.js';

/** Keeps the date of each agent's last run. */
@Injectable()
export class AgentActivityEvents {
  @ConsumesByStatement(runStarted)
  runsStarted(events: readonly TypedBusEvent<typeof runStarted>[]): EventStatement {
    const latest = new Map(events.map(({ data, created_at: at }) => [data.agent_id, at]));
    const starts = [...latest].map(([agentId, at]) => ({ agent_id: agentId, at }));
    return { sql: noteRuns, parameters: [JSON.stringify(starts)] };
  }
}
