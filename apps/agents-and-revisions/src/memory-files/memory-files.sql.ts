/** Hot: a step of a run reads it. $1: team, $2: agent, $3: path. */
export const findMemoryFile = 'SELECT * FROM memory_file WHERE agent_id = $2 AND team_id = $1 AND path = $3';
