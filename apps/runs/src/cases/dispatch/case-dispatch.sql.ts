/** A case that no run has; `now()` decides whether a postponed one is back. */
const free = `status = 'pending' AND claimed_by_run_id IS NULL`;

const notDeleted = `NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = trigger.agent_id)`;

/** Runs that hold a slot of a trigger: one that waits for a person holds none. */
const running = `(SELECT count(*)::int FROM run WHERE run.team_id = trigger.team_id
  AND run.agent_id = trigger.agent_id AND run.case_id IS NOT NULL AND run.status IN ('pending', 'running'))`;

/** As many as a trigger has that does not say how many. */
export const usualConcurrency = 5;

const slots = `coalesce(trigger.concurrency, ${usualConcurrency}) - ${running}`;

/** A case that is for one agent is for all once that one serves the queue no more. */
const isFor = (agent: string) => `(reserved_agent_id IS NULL OR reserved_agent_id = ${agent} OR NOT EXISTS (
  SELECT FROM case_trigger AS theirs
   WHERE theirs.agent_id = reserved_agent_id AND theirs.queue_id = queue_case.queue_id AND theirs.enabled
     AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = theirs.agent_id)))`;

/** Whether the queue $1 has a case that the trigger can take now. */
const hasCase = `(EXISTS (SELECT FROM queue_case WHERE queue_id = $1 AND ${free} AND postponed_to IS NULL
    AND ${isFor('trigger.agent_id')})
  OR EXISTS (SELECT FROM queue_case WHERE queue_id = $1 AND ${free} AND postponed_to <= now()
    AND ${isFor('trigger.agent_id')}))`;

/** The triggers of the queue $1 that could take a case now; the one with most room comes first. By hand: counts over a set. */
export const freeTriggers = `
SELECT * FROM (
  SELECT trigger.id, trigger.team_id, trigger.agent_id, trigger.agent_name, ${slots} AS slots
    FROM case_trigger AS trigger
   WHERE trigger.queue_id = $1 AND trigger.enabled AND ${notDeleted} AND ${hasCase}) AS free
 WHERE slots > 0 ORDER BY slots DESC, id`;

/** An enabled trigger, and the name of its queue: two tables of which one is locked. $1: the trigger, $2: its queue. */
export const lockTrigger = `
SELECT queue.name AS queue_name FROM case_trigger AS trigger JOIN case_queue AS queue ON queue.id = trigger.queue_id
 WHERE trigger.id = $1 AND trigger.queue_id = $2 AND trigger.enabled FOR UPDATE OF trigger`;

/** How much room a trigger has; it and its queue are locked. $1: the trigger. */
export const slotsOfTrigger = `SELECT ${slots} AS slots FROM case_trigger AS trigger WHERE trigger.id = $1`;

/**
 * The cases of a queue that an agent is to take next, locked. $1: the queue, $2: how many, $3: the agent. Those that come back first, then
 * by urgency, then by age; by hand, for it is a queue with SKIP LOCKED: a case that is being changed is not waited for.
 */
export const nextCases = `
WITH due AS MATERIALIZED (
  SELECT * FROM queue_case WHERE queue_id = $1 AND ${free} AND postponed_to <= now() AND ${isFor('$3')}
   ORDER BY postponed_to, id LIMIT $2 FOR UPDATE SKIP LOCKED),
  fresh AS MATERIALIZED (
    SELECT * FROM queue_case WHERE queue_id = $1 AND ${free} AND postponed_to IS NULL AND ${isFor('$3')}
     ORDER BY rank, created_at, id LIMIT ($2 - (SELECT count(*) FROM due)) FOR UPDATE SKIP LOCKED)
SELECT shown.*, labels.labels FROM (
  SELECT 0 AS part, row_number() OVER (ORDER BY postponed_to, id) AS place, due.* FROM due
   UNION ALL
  SELECT 1, row_number() OVER (ORDER BY rank, created_at, id), fresh.* FROM fresh) AS shown
  CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(jsonb_build_object('key', label.key, 'value', label.value)
                              ORDER BY label.key, label.value), '[]') AS labels
      FROM case_label_link AS link JOIN case_label AS label ON label.id = link.label_id
     WHERE link.case_id = shown.id) AS labels
 ORDER BY part, place`;

/** Without one no case is given out. */
export const anyTrigger = 'SELECT FROM case_trigger';

/** The next queue behind $1 in an index; each look is one step in it, however many cases a queue has. */
const stepThrough = (index: string) => `
  (SELECT queue_id FROM queue_case WHERE ${free} AND ${index} ORDER BY queue_id LIMIT 1)
   UNION ALL
  SELECT (SELECT queue_id FROM queue_case WHERE ${free} AND ${index} AND queue_case.queue_id > walk.queue_id
           ORDER BY queue_id LIMIT 1)
    FROM walk WHERE walk.queue_id IS NOT NULL`;

/**
 * Queues with a case that could be taken, and an enabled trigger: what a wake-up that was lost has left. $1: how many at
 * most. Walks from queue to queue in two small indexes.
 */
export const forgottenQueues = `
WITH RECURSIVE walk AS (${stepThrough('postponed_to IS NULL')}),
  later AS (${stepThrough('postponed_to IS NOT NULL').replaceAll('walk', 'later')}),
  found AS (
    SELECT queue_id FROM walk WHERE queue_id IS NOT NULL
     UNION
    SELECT queue_id FROM later WHERE queue_id IS NOT NULL AND EXISTS (
      SELECT FROM queue_case WHERE queue_case.queue_id = later.queue_id AND ${free} AND postponed_to <= now()))
SELECT queue_id FROM found
 WHERE EXISTS (
   SELECT FROM case_trigger AS trigger WHERE trigger.queue_id = found.queue_id AND trigger.enabled
      AND ${notDeleted} AND ${slots} > 0)
 ORDER BY random() LIMIT $1`;
