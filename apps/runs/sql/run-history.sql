-- Written by `npm run sql`; do not edit.

-- messagesBetween (src/executor/run-history.sql.ts)
SELECT seq, type, role, text_content, tool_call, tool_result FROM run_message WHERE run_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq;

-- neededMessages (src/executor/run-history.sql.ts)
WITH older AS NOT MATERIALIZED (SELECT seq, type, role, text_content, tool_call, tool_result FROM run_message WHERE run_id = $1 AND seq < $2),
  asked AS (SELECT tool_call_id FROM human_request WHERE run_id = $1),
  results AS (
    (SELECT seq, type, role, text_content, tool_call, tool_result FROM older WHERE type = 'tool_result'
        AND tool_result ->> 'tool_call_id' IN (SELECT tool_call_id FROM asked) ORDER BY seq DESC LIMIT 1)
    UNION ALL
    (SELECT seq, type, role, text_content, tool_call, tool_result FROM older WHERE type = 'tool_result'
        AND tool_result ->> 'tool_call_id' NOT IN (SELECT tool_call_id FROM asked) ORDER BY seq DESC LIMIT 1))
(SELECT seq, type, role, text_content, tool_call, tool_result FROM older WHERE type = 'text' AND role = 'user' ORDER BY seq LIMIT 1)
UNION ALL
(SELECT seq, type, role, text_content, tool_call, tool_result FROM older WHERE type = 'text' AND role = 'user' ORDER BY seq DESC LIMIT 1)
UNION ALL
(SELECT seq, type, role, text_content, tool_call, tool_result FROM older WHERE type = 'text' AND role = 'assistant' ORDER BY seq DESC LIMIT 1)
UNION ALL
SELECT seq, type, role, text_content, tool_call, tool_result FROM results
UNION ALL
(SELECT seq, type, role, text_content, tool_call, tool_result FROM older WHERE type = 'tool_call'
    AND tool_call ->> 'id' IN (SELECT tool_result ->> 'tool_call_id' FROM results) ORDER BY seq DESC LIMIT 2);
