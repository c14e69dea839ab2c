import { columnsOf } from '@aos/persistence';
import { AgentEntity } from './agent.entity.js';

/** Hot: tools of runs ask for it in their steps. $1: team, $2: agent. */
export const findAgent = `
  SELECT ${columnsOf(AgentEntity)} FROM agent WHERE id = $2 AND team_id = $1 AND deleted_at IS NULL`;

/** A set: the runs that started in a batch of events, of agents of all teams. Events may come late. */
export const noteRuns = `
  UPDATE agent SET last_run_at = greatest(last_run_at, started.at)
    FROM jsonb_to_recordset($1::jsonb) AS started(agent_id uuid, at timestamptz)
   WHERE agent.id = started.agent_id`;

/** One statement, so that agents made at the same time are all counted. $1: team, $2: the change. */
export const moveAgentCount = `
  INSERT INTO team_agent_count (team_id, agents) VALUES ($1, $2)
  ON CONFLICT (team_id) DO UPDATE SET agents = team_agent_count.agents + $2`;
