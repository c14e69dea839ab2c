-- Written by `npm run sql`; do not edit.

-- findBuild (src/builds/builds.sql.ts)
  SELECT build.id, build.agent_id, build.team_id, build.name, build.revision_number, build.revision_name, build.revision_description, build.status, build.config, build.parent_build_id, build.previous_live_build_id, build.created_at, build.updated_at FROM build JOIN agent ON agent.id = build.agent_id
   WHERE build.id = $2 AND build.team_id = $1 AND agent.deleted_at IS NULL;

-- pageOfBuilds (src/builds/builds.sql.ts)
SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(octet_length(config::text)) OVER (ORDER BY revision_number DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT id, agent_id, team_id, name, revision_number, revision_name, revision_description, status, config, parent_build_id, previous_live_build_id, created_at, updated_at FROM build WHERE agent_id = $2 AND team_id = $1
    ORDER BY revision_number DESC LIMIT $3 OFFSET $4) AS page) AS page
   WHERE coalesce(bytes_before, 0) < 4194304 ORDER BY revision_number DESC;

-- latestBuilds (src/builds/builds.sql.ts)
SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(octet_length(config::text)) OVER (ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT place, build.id, build.agent_id, build.team_id, build.name, build.revision_number, build.revision_name, build.revision_description, build.status, build.config, build.parent_build_id, build.previous_live_build_id, build.created_at, build.updated_at FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, place)
     CROSS JOIN LATERAL (SELECT * FROM build WHERE agent_id = wanted.id AND team_id = $1
                          ORDER BY revision_number DESC LIMIT 1) AS build) AS page) AS page
   WHERE coalesce(bytes_before, 0) < 4194304 ORDER BY place;
