// By hand, all of them: they work on sets, some of which are there already.

/** $1: the labels, $2: the team, $3: the queue. */
export const makeLabels = `
INSERT INTO case_label (id, team_id, queue_id, key, value, hue, created_at)
SELECT id, $2, $3, key, value, hue, now()
  FROM jsonb_to_recordset($1::jsonb) AS i(id uuid, key text, value text, hue smallint)
ON CONFLICT (queue_id, key, value) DO NOTHING`;

/** $1: keys and values, $2: the queue. */
export const findLabels = `
SELECT label.id, label.key, label.value
  FROM jsonb_to_recordset($1::jsonb) AS i(key text, value text)
  JOIN case_label AS label ON label.queue_id = $2 AND label.key = i.key AND label.value = i.value`;

/** $1: the case, $2: labels that it keeps. */
export const unlinkOthers = `
DELETE FROM case_label_link WHERE case_id = $1 AND label_id <> ALL ($2::uuid[])`;

/** $1: the case, $2: labels. */
export const linkLabels = `
INSERT INTO case_label_link (case_id, label_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING`;

/** By hand: each label with the number of its cases. */
const counted = `
SELECT id, key, value, hue,
       (SELECT count(*) FROM case_label_link WHERE label_id = case_label.id) AS case_count FROM case_label`;

/** $1: the queue, $2: how many, $3: after how many. */
export const labelPage = `${counted} WHERE queue_id = $1 ORDER BY key, value LIMIT $2 OFFSET $3`;

/** $1: the team, $2: the queue, $3: the label. */
export const oneLabel = `${counted} WHERE id = $3 AND queue_id = $2 AND team_id = $1`;
