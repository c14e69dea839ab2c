// A child: the least a durable run needs, straight on Postgres: stored, taken, ended; three commits, nothing else.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { childInput } from './children.js';
import { latency } from './latency.js';

const { databaseUrl, inFlight, seconds } = childInput<{
  databaseUrl: string;
  inFlight: number;
  seconds: number;
}>();
const pool = new pg.Pool({ connectionString: databaseUrl, max: inFlight });
await pool.query(
  'CREATE TABLE IF NOT EXISTS bare_run (id uuid PRIMARY KEY, status text NOT NULL, result text)',
);
const result = await latency(inFlight, seconds, async () => {
  const id = randomUUID();
  await pool.query(`INSERT INTO bare_run (id, status) VALUES ($1, 'pending')`, [id]);
  await pool.query(`UPDATE bare_run SET status = 'running' WHERE id = $1`, [id]);
  await pool.query(`UPDATE bare_run SET status = 'completed', result = 'done' WHERE id = $1`, [id]);
});
await pool.query('DROP TABLE bare_run');
await pool.end();
process.send!(result);
