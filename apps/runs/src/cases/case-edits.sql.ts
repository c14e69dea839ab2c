/**
 * Changes what a case says. $1: the team, $2: the case, $3: the fields that change, $4: its text for searches, or null,
 * $5: when. One statement, for the ledger and the text move with the row; it is locked already.
 */
export const editCase = `
WITH old AS MATERIALIZED (SELECT * FROM queue_case WHERE team_id = $1 AND id = $2),
  edited AS (
    UPDATE queue_case SET
           title = CASE WHEN $3::jsonb ? 'title' THEN $3::jsonb ->> 'title' ELSE queue_case.title END,
           data = CASE WHEN $3::jsonb ? 'data' THEN $3::jsonb -> 'data' ELSE queue_case.data END,
           rank = coalesce(($3::jsonb ->> 'rank')::smallint, queue_case.rank),
           postponed_to = CASE WHEN $3::jsonb ? 'postponed_to' THEN ($3::jsonb ->> 'postponed_to')::timestamptz
                               ELSE queue_case.postponed_to END,
           updated_at = $5::timestamptz
      FROM old WHERE queue_case.id = old.id
    RETURNING queue_case.id, queue_case.queue_id, queue_case.status, queue_case.rank, old.rank AS old_rank),
  texts AS (
    UPDATE case_text SET text = $4::text FROM edited WHERE case_text.case_id = edited.id AND $4::text IS NOT NULL),
  counted AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT edited.queue_id, edited.status, ranks.rank, ranks.cases
      FROM edited CROSS JOIN LATERAL (VALUES (edited.old_rank, -1), (edited.rank, 1)) AS ranks(rank, cases)
     WHERE edited.rank <> edited.old_rank)
SELECT id FROM edited`;
