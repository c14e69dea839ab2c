// `npm run keys`: which keys of SECRETS_KEYS are still in use, by service and table. A key that is in use nowhere can be
// taken out. Reads DATABASE_URL (and RUNS_DATABASE_URL and the like) and SECRETS_KEYS, else what `npm start` keeps in
// AOS_DATA_DIR. Ends with 1 if a key that is in use is missing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const services = ['gateway', 'agents-and-revisions', 'runs', 'connections', 'webhook-dispatcher', 'billing'];
const dataDir = process.env.AOS_DATA_DIR ?? '.data';
const databaseUrl = process.env.DATABASE_URL ?? stored('processes.json')?.database_url;
const keyIds = idsOf(process.env.SECRETS_KEYS ?? stored('secrets.json')?.secrets_keys ?? '');

if (!databaseUrl) {
  console.error('DATABASE_URL is not set, and no product was started here that would tell it.');
  process.exit(78);
}

const found = [];
for (const service of services) found.push(...(await keysOf(service)));
report(found);
process.exitCode = found.some(({ state }) => state === 'MISSING') ? 1 : 0;

/** Sealed values are in columns that say so, and in the answers that are kept for an Idempotency-Key. */
async function keysOf(service) {
  const schema = service.replaceAll('-', '_');
  const client = new pg.Client(process.env[`${schema.toUpperCase()}_DATABASE_URL`] ?? databaseUrl);
  await client.connect();
  try {
    const { rows: columns } = await client.query(
      `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
        WHERE table_schema = $1 AND data_type = 'text'
          AND (column_name LIKE '%sealed%' OR (table_name, column_name) = ('idempotency_record', 'body'))
        ORDER BY 1, 2`,
      [schema],
    );
    const keys = [];
    for (const { table, column } of columns) {
      const name = client.escapeIdentifier(column);
      const { rows } = await client.query(
        `SELECT split_part(${name}, '.', 2) AS key_id, count(*)::int AS values
           FROM ${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table)}
          WHERE ${name} LIKE 'v1.%' GROUP BY 1 ORDER BY 1`,
      );
      keys.push(...rows.map((row) => ({ service, table, column, ...row, state: stateOf(row.key_id) })));
    }
    return keys;
  } finally {
    await client.end();
  }
}

function stateOf(keyId) {
  if (keyIds.length === 0) return 'unknown';
  if (keyId === keyIds[0]) return 'current';
  return keyIds.includes(keyId) ? 'old' : 'MISSING';
}

function report(rows) {
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify(rows));
    return;
  }
  for (const { service, table, column, key_id, values, state } of rows) {
    console.log(`${service}\t${table}.${column}\t${key_id}\t${values}\t${state}`);
  }
  const unused = keyIds.slice(1).filter((keyId) => !rows.some(({ key_id }) => key_id === keyId));
  if (rows.length === 0) console.log('Nothing is sealed.');
  if (unused.length > 0) console.log(`In use nowhere, and can be taken out: ${unused.join(', ')}`);
}

function idsOf(keys) {
  return keys === '' ? [] : keys.split(',').map((entry) => entry.trim().split(':')[0]);
}

function stored(file) {
  try {
    return JSON.parse(readFileSync(join(dataDir, file), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
