/**
 * Lists the columns that cases need: names in their data, and label keys as often as one case has them. $1: cases, $2:
 * maximum number of names. SQL, since it reads keys of a JSON column in sets.
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
