-- Written by `npm run sql`; do not edit.

-- triggersOfAgent (src/cases/triggers/case-triggers.sql.ts)
SELECT trigger.*, queue.name AS queue_name,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('agent_id', other.agent_id, 'name', other.agent_name)
                                  ORDER BY other.agent_name, other.agent_id), '[]')
          FROM case_trigger AS other
         WHERE other.queue_id = trigger.queue_id AND other.id <> trigger.id AND other.enabled
           AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = other.agent_id)) AS conflicting
  FROM case_trigger AS trigger JOIN case_queue AS queue ON queue.id = trigger.queue_id
 WHERE trigger.team_id = $1
   AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = trigger.agent_id) AND trigger.agent_id = $2;

-- enabledTriggersOfAgents (src/cases/triggers/case-triggers.sql.ts)
SELECT trigger.*, queue.name AS queue_name,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('agent_id', other.agent_id, 'name', other.agent_name)
                                  ORDER BY other.agent_name, other.agent_id), '[]')
          FROM case_trigger AS other
         WHERE other.queue_id = trigger.queue_id AND other.id <> trigger.id AND other.enabled
           AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = other.agent_id)) AS conflicting
  FROM case_trigger AS trigger JOIN case_queue AS queue ON queue.id = trigger.queue_id
 WHERE trigger.team_id = $1
   AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = trigger.agent_id) AND trigger.agent_id = ANY ($2::uuid[]) AND trigger.enabled;

-- triggersOfQueue (src/cases/triggers/case-triggers.sql.ts)
SELECT trigger.*, queue.name AS queue_name,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('agent_id', other.agent_id, 'name', other.agent_name)
                                  ORDER BY other.agent_name, other.agent_id), '[]')
          FROM case_trigger AS other
         WHERE other.queue_id = trigger.queue_id AND other.id <> trigger.id AND other.enabled
           AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = other.agent_id)) AS conflicting
  FROM case_trigger AS trigger JOIN case_queue AS queue ON queue.id = trigger.queue_id
 WHERE trigger.team_id = $1
   AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = trigger.agent_id) AND trigger.queue_id = $2 ORDER BY trigger.agent_name, trigger.id;

-- oneTrigger (src/cases/triggers/case-triggers.sql.ts)
SELECT trigger.*, queue.name AS queue_name,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('agent_id', other.agent_id, 'name', other.agent_name)
                                  ORDER BY other.agent_name, other.agent_id), '[]')
          FROM case_trigger AS other
         WHERE other.queue_id = trigger.queue_id AND other.id <> trigger.id AND other.enabled
           AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = other.agent_id)) AS conflicting
  FROM case_trigger AS trigger JOIN case_queue AS queue ON queue.id = trigger.queue_id
 WHERE trigger.team_id = $1
   AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = trigger.agent_id) AND trigger.agent_id = $2 AND trigger.id = $3;
