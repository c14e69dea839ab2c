import { withinPageBytes } from '@aos/persistence';
import { runEvents } from '../../run-core/records/run-records.sql.js';

const pageSize = 200;

const page = withinPageBytes(
  `SELECT * FROM ${runEvents} AS stored WHERE run_id = run.id AND seq > $3 ORDER BY seq LIMIT ${pageSize}`,
  { order: 'seq', bytes: 'octet_length(data::text)' },
);

/** $1: the team, $2: the run, $3: after which number. By hand: streams read it often, and the run in the same snapshot. */
export const eventsAfter = `
SELECT run.status, run.event_seq, page.*
  FROM run LEFT JOIN LATERAL (
    ${page}) AS page ON true
 WHERE run.id = $2 AND run.team_id = $1
 ORDER BY page.seq`;
