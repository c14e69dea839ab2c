-- Written by `npm run sql`; do not edit.

-- rubricsOfBuilds (src/rubrics/rubrics.sql.ts)
  SELECT wanted.place, eval_rubric.id, eval_rubric.team_id, eval_rubric.build_id, eval_rubric.slug, eval_rubric.title, eval_rubric.description, eval_rubric.severity, eval_rubric.sort_order, eval_rubric.version, eval_rubric.created_at, eval_rubric.updated_at
    FROM jsonb_to_recordset($1::jsonb) AS wanted(place int, team_id uuid, build_id uuid)
    JOIN eval_rubric ON eval_rubric.build_id = wanted.build_id AND eval_rubric.team_id = wanted.team_id
   ORDER BY wanted.place, eval_rubric.sort_order, eval_rubric.id;
