-- Written by `npm run sql`; do not edit.

-- beginCounting (src/capacity/team-limits/team-limits.sql.ts)
  INSERT INTO month_starts (team_id, month, starts)
  SELECT $1::uuid, date_trunc('month', now() AT TIME ZONE 'UTC')::date, $2 + (
  SELECT coalesce(sum(1 + reopened), 0) FROM run
   WHERE team_id = $1 AND created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')
  ON CONFLICT (team_id, month) DO UPDATE SET starts = month_starts.starts + $2
  RETURNING starts::int;

-- raiseStarts (src/capacity/team-limits/team-limits.sql.ts)
  UPDATE month_starts SET starts = greatest(starts, (
  SELECT coalesce(sum(1 + reopened), 0) FROM run
   WHERE team_id = $1 AND created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'))
   WHERE team_id = $1 AND month = date_trunc('month', now() AT TIME ZONE 'UTC')::date;
