-- Written by `npm run sql`; do not edit.

-- labelPage (src/cases/labels/case-labels.sql.ts)
SELECT id, key, value, hue,
       (SELECT count(*) FROM case_label_link WHERE label_id = case_label.id) AS case_count FROM case_label WHERE queue_id = $1 ORDER BY key, value LIMIT $2 OFFSET $3;

-- oneLabel (src/cases/labels/case-labels.sql.ts)
SELECT id, key, value, hue,
       (SELECT count(*) FROM case_label_link WHERE label_id = case_label.id) AS case_count FROM case_label WHERE id = $3 AND queue_id = $2 AND team_id = $1;
