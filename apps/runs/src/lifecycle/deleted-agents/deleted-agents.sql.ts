import { notFound } from '@aos/contracts';
import type { RunStartPart } from '../../run-core/changes/statement-parts.js';

/** Looked at in the statement that makes runs: none starts once its agent is known to be deleted. */
export const refusedOfDeletedAgents: RunStartPart = {
  refusal: {
    when: 'EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = input.agent_id)',
    reason: 'agent deleted',
    error: () => notFound(),
  },
};

/** $1: the agents. By hand: a set, of events that may come twice. */
export const addDeletedAgents = `
INSERT INTO deleted_agent (agent_id, team_id, deleted_at)
SELECT agent_id, team_id, now() FROM jsonb_to_recordset($1::jsonb) AS gone(agent_id uuid, team_id uuid)
ON CONFLICT (agent_id) DO NOTHING`;

/** $1: the statuses that are open, $2: how many, $3: runs to leave out. By hand: a set, of all teams. */
export const openRunsOfDeletedAgents = `
SELECT run.id, run.team_id FROM deleted_agent AS gone
  JOIN run ON run.team_id = gone.team_id AND run.agent_id = gone.agent_id AND run.status = ANY($1::text[])
 WHERE gone.deleted_at > now() - interval '1 day' AND run.id <> ALL ($3::uuid[]) LIMIT $2`;
