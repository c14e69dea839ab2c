import { numberOption, type Command, type Row } from '../command.js';

/** A run that could be taken, and one whose worker is gone. What sleeps or waits for a person is not stuck. */
export const stuckRuns: Command = {
  usage: 'runs stuck [--seconds N] [--limit N]',
  help: 'Runs that wait for a worker, or have lost theirs, for longer than a minute; the longest first',
  options: ['seconds', 'limit'],
  async run(product, given) {
    const rows = await product.query<Row>(
      'runs',
      `SELECT id AS run, team_id AS team, status, steps, takeovers,
              CASE WHEN lease_token IS NOT NULL THEN 'its worker is gone'
                   WHEN takeovers >= 3 THEN 'is tried apart from the others'
                   WHEN status = 'pending' THEN 'has not begun' ELSE 'waits to go on' END AS state,
              round(extract(epoch FROM now() - coalesce(lease_until, greatest(queued_at, wake_at))))::int AS seconds
         FROM run
        WHERE status IN ('pending', 'running')
          AND CASE WHEN lease_token IS NOT NULL THEN lease_until < now() - make_interval(secs => $1)
                   ELSE greatest(queued_at, wake_at) < now() - make_interval(secs => $1) END
        ORDER BY seconds DESC LIMIT $2`,
      [numberOption(given, 'seconds', 60), numberOption(given, 'limit', 50)],
    );
    return {
      rows,
      note: rows.length === 0 ? 'No run is stuck.' : undefined,
      failed: rows.length > 0,
    };
  },
};

export const failedRuns: Command = {
  usage: 'runs failed [--minutes N]',
  help: 'Why runs failed in the last hour: how many, of how many teams, and one of them',
  options: ['minutes'],
  async run(product, given) {
    const rows = await product.query<Row>(
      'runs',
      `SELECT error ->> 'code' AS reason, count(*)::int AS runs, count(DISTINCT team_id)::int AS teams,
              (array_agg(id ORDER BY completed_at DESC))[1] AS latest
         FROM run WHERE status = 'failed' AND completed_at > now() - make_interval(mins => $1)
        GROUP BY 1 ORDER BY 2 DESC`,
      [numberOption(given, 'minutes', 60)],
    );
    return { rows, note: rows.length === 0 ? 'No run has failed.' : undefined };
  },
};

/** Their workers find out by themselves only where the server, or its timeline, is another one. */
export const restoredRuns: Command = {
  usage: 'runs restored',
  help: 'After a restore into the same server: open runs make no call again that must not be repeated; stop the workers first',
  async run(product) {
    const rows = await product.query<Row>(
      'runs',
      `WITH marked AS (
         UPDATE run SET timeline = 'restored' WHERE status IN ('pending', 'running', 'waiting') RETURNING team_id)
       SELECT count(*)::int AS runs, count(DISTINCT team_id)::int AS teams FROM marked`,
    );
    return { rows };
  },
};
