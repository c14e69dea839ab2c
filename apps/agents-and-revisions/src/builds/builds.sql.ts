import { columnsOf, withinPageBytes } from '@aos/persistence';
import { BuildEntity } from './build.entity.js';

const configBytes = 'octet_length(config::text)';

/** One statement, since the agent must still be there. $1: team, $2: build. */
export const findBuild = `
  SELECT ${columnsOf(BuildEntity, 'build')} FROM build JOIN agent ON agent.id = build.agent_id
   WHERE build.id = $2 AND build.team_id = $1 AND agent.deleted_at IS NULL`;

/** Hot, and a set: what the runs are made of that start at the same time. */
export const resolveBuilds = `
  SELECT wanted.place, agent.name AS agent_name, build.id, build.agent_id, build.name,
         build.revision_number, build.status <> 'draft' AS is_final,
         CASE WHEN build.id = wanted.kept_build_id AND build.status <> 'draft' THEN NULL ELSE build.config END AS config,
         EXISTS (SELECT FROM eval_rubric WHERE eval_rubric.build_id = build.id) AS has_rubrics
    FROM jsonb_to_recordset($1::jsonb) AS wanted(
      place int, team_id uuid, agent_id uuid, build_id uuid, kept_build_id uuid)
    JOIN agent ON agent.id = wanted.agent_id AND agent.team_id = wanted.team_id AND agent.deleted_at IS NULL
    JOIN build ON build.id = coalesce(wanted.build_id, agent.live_build_id) AND build.agent_id = agent.id`;

/** A set whose size counts: the builds of an agent, newest first, as many as a page may hold. */
export const pageOfBuilds = withinPageBytes(
  `SELECT ${columnsOf(BuildEntity)} FROM build WHERE agent_id = $2 AND team_id = $1
    ORDER BY revision_number DESC LIMIT $3 OFFSET $4`,
  { order: 'revision_number DESC', bytes: configBytes },
);

/** A set whose size counts: the newest build of each agent; of the first ones only, where they are too large. */
export const latestBuilds = withinPageBytes(
  `SELECT place, ${columnsOf(BuildEntity, 'build')} FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, place)
     CROSS JOIN LATERAL (SELECT * FROM build WHERE agent_id = wanted.id AND team_id = $1
                          ORDER BY revision_number DESC LIMIT 1) AS build`,
  { order: 'place', bytes: configBytes },
);
