/** Agents that were deleted have no triggers, whether or not those are swept yet. By hand: it gives those beside it, too. */
const triggers = `
SELECT trigger.*, queue.name AS queue_name,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('agent_id', other.agent_id, 'name', other.agent_name)
                                  ORDER BY other.agent_name, other.agent_id), '[]')
          FROM case_trigger AS other
         WHERE other.queue_id = trigger.queue_id AND other.id <> trigger.id AND other.enabled
           AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = other.agent_id)) AS conflicting
  FROM case_trigger AS trigger JOIN case_queue AS queue ON queue.id = trigger.queue_id
 WHERE trigger.team_id = $1
   AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = trigger.agent_id)`;

/** $1: the team, $2: the agent. */
export const triggersOfAgent = `${triggers} AND trigger.agent_id = $2`;

/** $1: the team, $2: the agents. */
export const enabledTriggersOfAgents = `${triggers} AND trigger.agent_id = ANY ($2::uuid[]) AND trigger.enabled`;

/** $1: the team, $2: the queue. */
export const triggersOfQueue = `${triggers} AND trigger.queue_id = $2 ORDER BY trigger.agent_name, trigger.id`;

/** $1: the team, $2: the agent, $3: the trigger. */
export const oneTrigger = `${triggers} AND trigger.agent_id = $2 AND trigger.id = $3`;

/** Agents that were deleted take no cases any more. By hand: a set, of all teams. */
export const sweepTriggers = `
DELETE FROM case_trigger AS trigger USING deleted_agent WHERE deleted_agent.agent_id = trigger.agent_id`;
