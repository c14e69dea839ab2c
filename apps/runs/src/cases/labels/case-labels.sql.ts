/** By hand: each label with the number of its cases. */
const counted = `
SELECT id, key, value, hue,
       (SELECT count(*) FROM case_label_link WHERE label_id = case_label.id) AS case_count FROM case_label`;

/** $1: the queue, $2: how many, $3: after how many. */
export const labelPage = `${counted} WHERE queue_id = $1 ORDER BY key, value LIMIT $2 OFFSET $3`;

/** $1: the team, $2: the queue, $3: the label. */
export const oneLabel = `${counted} WHERE id = $3 AND queue_id = $2 AND team_id = $1`;
