import type { agentSchema } from '@aos/contracts';
import type { z } from 'zod';
import type { AgentEntity } from './agent.entity.js';

export type Agent = z.output<typeof agentSchema>;

export function toAgent(row: AgentEntity): Agent {
  return {
    id: row.id,
    agent_id: row.id,
    team_id: row.team_id,
    name: row.name,
    description: row.description,
    live_build_id: row.live_build_id,
    agentic_memory_enabled: row.agentic_memory_enabled,
    last_run_at: row.last_run_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function agentAnswer(row: AgentEntity): { agent_id: string; agent: Agent } {
  return { agent_id: row.id, agent: toAgent(row) };
}
