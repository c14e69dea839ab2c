const columns = 'seq, type, role, text_content, tool_call, tool_result';

/** $1: the run, $2: above which number, $3: up to which. By hand: read by each worker that takes a run. */
export const messagesBetween = `
SELECT ${columns} FROM run_message WHERE run_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq`;

/** Finds the first call of the newest turn. $1: run. SQL, since it walks an index backwards and stops. */
export const newestTurn = `
SELECT coalesce(max(seq), 0) + 1 AS seq FROM run_message
 WHERE run_id = $1 AND type <> 'tool_call'
   AND seq < (SELECT max(seq) FROM run_message WHERE run_id = $1 AND type = 'tool_call')`;

/**
 * What a model may need of the messages before $2, however old it is: what the run was started with, the latest text
 * of each side, the latest answer of a person, the latest result of another tool, and the calls of both. $1: the run.
 * By hand, for each part reads an index from one end and stops.
 */
export const neededMessages = `
WITH older AS NOT MATERIALIZED (SELECT ${columns} FROM run_message WHERE run_id = $1 AND seq < $2),
  asked AS (SELECT tool_call_id FROM human_request WHERE run_id = $1),
  results AS (
    (SELECT ${columns} FROM older WHERE type = 'tool_result'
        AND tool_result ->> 'tool_call_id' IN (SELECT tool_call_id FROM asked) ORDER BY seq DESC LIMIT 1)
    UNION ALL
    (SELECT ${columns} FROM older WHERE type = 'tool_result'
        AND tool_result ->> 'tool_call_id' NOT IN (SELECT tool_call_id FROM asked) ORDER BY seq DESC LIMIT 1))
(SELECT ${columns} FROM older WHERE type = 'text' AND role = 'user' ORDER BY seq LIMIT 1)
UNION ALL
(SELECT ${columns} FROM older WHERE type = 'text' AND role = 'user' ORDER BY seq DESC LIMIT 1)
UNION ALL
(SELECT ${columns} FROM older WHERE type = 'text' AND role = 'assistant' ORDER BY seq DESC LIMIT 1)
UNION ALL
SELECT ${columns} FROM results
UNION ALL
(SELECT ${columns} FROM older WHERE type = 'tool_call'
    AND tool_call ->> 'id' IN (SELECT tool_result ->> 'tool_call_id' FROM results) ORDER BY seq DESC LIMIT 2)`;
