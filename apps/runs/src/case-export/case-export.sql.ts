/** $1: the queue, $2: how many. By hand: a set. */
export const labelKeys = `
SELECT DISTINCT key AS name FROM case_label WHERE queue_id = $1 ORDER BY name LIMIT $2`;

/** $1: the queue, $2: how many. By hand: a set, of the keys in a JSON column. */
export const dataKeys = `
SELECT DISTINCT jsonb_object_keys(data) AS name FROM queue_case
 WHERE queue_id = $1 AND jsonb_typeof(data) = 'object' ORDER BY name LIMIT $2`;
