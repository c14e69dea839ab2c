-- Written by `npm run sql`; do not edit.

-- casePageQuery, all cases (src/cases/case-pages.sql.ts)
WITH page AS MATERIALIZED (SELECT id, created_at FROM ((SELECT id, created_at FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND rank = 0
   ORDER BY created_at desc, id desc LIMIT 60)
 UNION ALL (SELECT id, created_at FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND rank = 1
   ORDER BY created_at desc, id desc LIMIT 60)
 UNION ALL (SELECT id, created_at FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND rank = 2
   ORDER BY created_at desc, id desc LIMIT 60)
 UNION ALL (SELECT id, created_at FROM queue_case WHERE queue_id = $1 AND status = 'completed' AND rank = 0
   ORDER BY created_at desc, id desc LIMIT 60)
 UNION ALL (SELECT id, created_at FROM queue_case WHERE queue_id = $1 AND status = 'completed' AND rank = 1
   ORDER BY created_at desc, id desc LIMIT 60)
 UNION ALL (SELECT id, created_at FROM queue_case WHERE queue_id = $1 AND status = 'completed' AND rank = 2
   ORDER BY created_at desc, id desc LIMIT 60)
 UNION ALL (SELECT id, created_at FROM queue_case WHERE queue_id = $1 AND status = 'failed' AND rank = 0
   ORDER BY created_at desc, id desc LIMIT 60)
 UNION ALL (SELECT id, created_at FROM queue_case WHERE queue_id = $1 AND status = 'failed' AND rank = 1
   ORDER BY created_at desc, id desc LIMIT 60)
 UNION ALL (SELECT id, created_at FROM queue_case WHERE queue_id = $1 AND status = 'failed' AND rank = 2
   ORDER BY created_at desc, id desc LIMIT 60)) AS branches
   ORDER BY created_at desc, id desc LIMIT 20 OFFSET 40)
SELECT shown.*, (
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', label.id, 'key', label.key, 'value', label.value, 'hue', label.hue)
                            ORDER BY label.key, label.value), '[]')
    FROM case_label_link AS link JOIN case_label AS label ON label.id = link.label_id
   WHERE link.case_id = shown.id) AS labels FROM (SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(700 + octet_length(data::text) + octet_length(to_json(title)::text)) OVER (ORDER BY created_at desc, id desc ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT queue_case.* FROM page JOIN queue_case ON queue_case.id = page.id) AS page) AS page
   WHERE coalesce(bytes_before, 0) < 4194304 ORDER BY created_at desc, id desc) AS shown ORDER BY shown.created_at desc, shown.id desc;

-- casePageQuery, next to return (src/cases/case-pages.sql.ts)
WITH page AS MATERIALIZED (SELECT id, postponed_to, created_at FROM ((SELECT id, postponed_to, created_at FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NOT NULL AND postponed_to > now() AND rank IN (0, 1, 2) AND EXISTS (SELECT FROM case_label_link AS link
      WHERE link.case_id = queue_case.id AND link.label_id = ANY ($2::uuid[])) AND EXISTS (SELECT FROM case_text AS words
      WHERE words.case_id = queue_case.id AND words.queue_id = queue_case.queue_id AND words.text LIKE $3) AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NOT NULL
   ORDER BY postponed_to asc, created_at asc, id asc LIMIT 60)
 UNION ALL (SELECT id, postponed_to, created_at FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NOT NULL AND postponed_to > now() AND rank = 0 AND EXISTS (SELECT FROM case_label_link AS link
      WHERE link.case_id = queue_case.id AND link.label_id = ANY ($2::uuid[])) AND EXISTS (SELECT FROM case_text AS words
      WHERE words.case_id = queue_case.id AND words.queue_id = queue_case.queue_id AND words.text LIKE $3) AND postponed_to IS NULL
   ORDER BY created_at asc, id asc LIMIT 60)
 UNION ALL (SELECT id, postponed_to, created_at FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NOT NULL AND postponed_to > now() AND rank = 1 AND EXISTS (SELECT FROM case_label_link AS link
      WHERE link.case_id = queue_case.id AND link.label_id = ANY ($2::uuid[])) AND EXISTS (SELECT FROM case_text AS words
      WHERE words.case_id = queue_case.id AND words.queue_id = queue_case.queue_id AND words.text LIKE $3) AND postponed_to IS NULL
   ORDER BY created_at asc, id asc LIMIT 60)
 UNION ALL (SELECT id, postponed_to, created_at FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NOT NULL AND postponed_to > now() AND rank = 2 AND EXISTS (SELECT FROM case_label_link AS link
      WHERE link.case_id = queue_case.id AND link.label_id = ANY ($2::uuid[])) AND EXISTS (SELECT FROM case_text AS words
      WHERE words.case_id = queue_case.id AND words.queue_id = queue_case.queue_id AND words.text LIKE $3) AND postponed_to IS NULL
   ORDER BY created_at asc, id asc LIMIT 60)) AS branches
   ORDER BY postponed_to asc NULLS LAST, created_at asc, id asc LIMIT 20 OFFSET 40)
SELECT shown.*, (
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', label.id, 'key', label.key, 'value', label.value, 'hue', label.hue)
                            ORDER BY label.key, label.value), '[]')
    FROM case_label_link AS link JOIN case_label AS label ON label.id = link.label_id
   WHERE link.case_id = shown.id) AS labels FROM (SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(700 + octet_length(data::text) + octet_length(to_json(title)::text)) OVER (ORDER BY postponed_to asc NULLS LAST, created_at asc, id asc ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT queue_case.* FROM page JOIN queue_case ON queue_case.id = page.id) AS page) AS page
   WHERE coalesce(bytes_before, 0) < 4194304 ORDER BY postponed_to asc NULLS LAST, created_at asc, id asc) AS shown ORDER BY shown.postponed_to asc NULLS LAST, shown.created_at asc, shown.id asc;

-- caseTotalQuery, all cases (src/cases/case-pages.sql.ts)
SELECT coalesce(sum(cases), 0) AS total FROM case_tally WHERE queue_id = $1 AND status IN ('pending', 'completed', 'failed') AND rank IN (0, 1, 2);

-- caseTotalQuery, filtered (src/cases/case-pages.sql.ts)
SELECT count(*) AS total FROM (SELECT FROM ((SELECT FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NOT NULL AND postponed_to > now() AND rank IN (0, 1, 2) AND EXISTS (SELECT FROM case_label_link AS link
      WHERE link.case_id = queue_case.id AND link.label_id = ANY ($2::uuid[])) AND EXISTS (SELECT FROM case_text AS words
      WHERE words.case_id = queue_case.id AND words.queue_id = queue_case.queue_id AND words.text LIKE $3) LIMIT 1060)) AS branches LIMIT 1060) AS found;

-- caseWalkQuery (src/cases/case-pages.sql.ts)
SELECT id, created_at FROM ((SELECT id, created_at FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NOT NULL AND postponed_to > now() AND rank = 0 AND EXISTS (SELECT FROM case_label_link AS link
      WHERE link.case_id = queue_case.id AND link.label_id = ANY ($2::uuid[])) AND EXISTS (SELECT FROM case_text AS words
      WHERE words.case_id = queue_case.id AND words.queue_id = queue_case.queue_id AND words.text LIKE $3) AND (created_at, id) > ($4::timestamptz, $5::uuid)
   ORDER BY created_at, id LIMIT 100)
 UNION ALL (SELECT id, created_at FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NOT NULL AND postponed_to > now() AND rank = 1 AND EXISTS (SELECT FROM case_label_link AS link
      WHERE link.case_id = queue_case.id AND link.label_id = ANY ($2::uuid[])) AND EXISTS (SELECT FROM case_text AS words
      WHERE words.case_id = queue_case.id AND words.queue_id = queue_case.queue_id AND words.text LIKE $3) AND (created_at, id) > ($4::timestamptz, $5::uuid)
   ORDER BY created_at, id LIMIT 100)
 UNION ALL (SELECT id, created_at FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NOT NULL AND postponed_to > now() AND rank = 2 AND EXISTS (SELECT FROM case_label_link AS link
      WHERE link.case_id = queue_case.id AND link.label_id = ANY ($2::uuid[])) AND EXISTS (SELECT FROM case_text AS words
      WHERE words.case_id = queue_case.id AND words.queue_id = queue_case.queue_id AND words.text LIKE $3) AND (created_at, id) > ($4::timestamptz, $5::uuid)
   ORDER BY created_at, id LIMIT 100)) AS branches
   ORDER BY created_at, id LIMIT 100;
