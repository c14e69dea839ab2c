import { withinPageBytes } from '@aos/persistence';

/** $1: the team, $2: the run, $3: after which number, $4: how many. By hand: a page has a size in bytes, too. */
export const messagePage = withinPageBytes(
  `SELECT message.* FROM run_message AS message
     JOIN run ON run.id = message.run_id AND run.team_id = $1
    WHERE message.run_id = $2 AND message.seq > $3 ORDER BY message.seq LIMIT $4`,
  { order: 'seq', bytes: 'octet_length(to_json(page)::text)' },
);

/** Calls without a result. $1: the team, $2: the run. By hand: a set that is held against another. */
export const openCalls = `
SELECT called.tool_call ->> 'id' AS call_id FROM run_message AS called
  JOIN run ON run.id = called.run_id AND run.team_id = $1
 WHERE called.run_id = $2 AND called.type = 'tool_call'
   AND NOT EXISTS (SELECT FROM run_message AS ended WHERE ended.run_id = $2 AND ended.type = 'tool_result'
                      AND ended.tool_result ->> 'tool_call_id' = called.tool_call ->> 'id')
 ORDER BY called.seq`;
