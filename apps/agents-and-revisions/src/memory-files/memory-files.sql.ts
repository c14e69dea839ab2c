/** Hot: a step of a run reads it. $1: team, $2: agent, $3: path. */
export const findMemoryFile = 'SELECT * FROM memory_file WHERE agent_id = $2 AND team_id = $1 AND path = $3';

/** The number of the next write, whose lock orders the writes of an agent. $1: agent. By hand: an upsert that gives it. */
export const nextGeneration = `
INSERT INTO memory_counter (agent_id, last) VALUES ($1, 1)
ON CONFLICT (agent_id) DO UPDATE SET last = memory_counter.last + 1 RETURNING last`;

/**
 * Numbers the files of an agent that were written without a number, by their age. $1: team, $2: agent. Of two who do so at
 * the same time the second finds none to write, and leaves numbers out. By hand: a set.
 */
export const numberFiles = `
WITH former AS MATERIALIZED (
  SELECT path, row_number() OVER (ORDER BY updated_at DESC, path DESC) - 1 AS behind FROM memory_file
   WHERE agent_id = $2 AND team_id = $1 AND generation IS NULL),
counter AS (
  INSERT INTO memory_counter (agent_id, last) SELECT $2, count(*) FROM former HAVING count(*) > 0
  ON CONFLICT (agent_id) DO UPDATE SET last = memory_counter.last + excluded.last
  RETURNING last)
UPDATE memory_file SET generation = counter.last - former.behind FROM counter CROSS JOIN former
 WHERE memory_file.agent_id = $2 AND memory_file.path = former.path AND memory_file.generation IS NULL`;
