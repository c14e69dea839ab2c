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
