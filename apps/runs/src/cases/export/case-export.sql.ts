/**
 * What cases need as columns of a file: the names in their data, and the keys of their labels, each as often as one of
 * them has labels with it. $1: the cases, $2: how many names. By hand: sets, and the keys in a JSON column.
 */
export const columnsOfCases = `
SELECT 'data' AS kind, name, 1 AS times FROM (
  SELECT DISTINCT jsonb_object_keys(data) AS name FROM queue_case
   WHERE id = ANY ($1::uuid[]) AND jsonb_typeof(data) = 'object' LIMIT $2) AS of_data
UNION ALL
SELECT 'label', key, max(labels)::int FROM (
  SELECT label.key, count(*) AS labels
    FROM case_label_link AS link JOIN case_label AS label ON label.id = link.label_id
   WHERE link.case_id = ANY ($1::uuid[]) GROUP BY link.case_id, label.key) AS of_case
 GROUP BY key`;
