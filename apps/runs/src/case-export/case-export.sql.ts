/**
 * Each key as often as a case has labels with it. Most keys have one value for each case; that is not looked for where
 * there is only one value. $1: the queue, $2: how many. By hand: a set.
 */
export const labelKeys = `
WITH named AS MATERIALIZED (
  SELECT key, count(*) AS different FROM case_label WHERE queue_id = $1 GROUP BY key ORDER BY key LIMIT $2),
  most AS (
    SELECT key, max(labels) AS labels FROM (
      SELECT label.key, count(*) AS labels
        FROM named JOIN case_label AS label ON label.queue_id = $1 AND label.key = named.key
        JOIN case_label_link AS link ON link.label_id = label.id
       WHERE named.different > 1
       GROUP BY label.key, link.case_id) AS of_case
     GROUP BY key)
SELECT named.key AS name FROM named LEFT JOIN most USING (key)
 CROSS JOIN LATERAL generate_series(1, coalesce(most.labels, 1)) ORDER BY name LIMIT $2`;

/** $1: the queue, $2: how many. By hand: a set, of the keys in a JSON column. */
export const dataKeys = `
SELECT DISTINCT jsonb_object_keys(data) AS name FROM queue_case
 WHERE queue_id = $1 AND jsonb_typeof(data) = 'object' ORDER BY name LIMIT $2`;
