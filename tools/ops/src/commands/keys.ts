import { serviceNames } from '@aos/contracts';
import pg from 'pg';
import type { Command, Row } from '../command.js';
import type { Product } from '../product.js';

type KeyState = 'current' | 'old' | 'MISSING' | 'unknown';

interface KeyInUse extends Row {
  readonly service: string;
  readonly table: string;
  readonly column: string;
  readonly key_id: string;
  readonly values: number;
  readonly state: KeyState;
}

export const keys: Command = {
  usage: 'keys',
  help: 'Which keys of SECRETS_KEYS are still in use; values are sealed again by themselves',
  async run(product) {
    const known = idsOf(product.surroundings.secretsKeys ?? '');
    const rows: KeyInUse[] = [];
    for (const service of serviceNames) rows.push(...(await keysOf(product, service, known)));
    const unused = known.slice(1).filter((id) => !rows.some(({ key_id: used }) => used === id));
    const notes = [
      ...(rows.length === 0 ? ['Nothing is sealed.'] : []),
      ...(unused.length > 0 ? [`In use nowhere, and can be taken out: ${unused.join(', ')}`] : []),
    ];
    return {
      rows,
      note: notes.length > 0 ? notes.join('\n') : undefined,
      failed: rows.some(({ state }) => state === 'MISSING'),
    };
  },
};

/** Sealed values are in columns that say so, and in the answers that are kept for an Idempotency-Key. */
async function keysOf(product: Product, service: string, known: readonly string[]): Promise<KeyInUse[]> {
  const columns = await product.query<{ table: string; column: string }>(
    service,
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
      WHERE table_schema = $1 AND data_type = 'text'
        AND (column_name LIKE '%sealed%' OR (table_name, column_name) = ('idempotency_record', 'body'))
      ORDER BY 1, 2`,
    [product.surroundings.databaseOf(service).schema],
  );
  const found: KeyInUse[] = [];
  for (const { table, column } of columns) {
    const name = pg.escapeIdentifier(column);
    const rows = await product.query<{ key_id: string; values: number }>(
      service,
      `SELECT split_part(${name}, '.', 2) AS key_id, count(*)::int AS values
         FROM ${pg.escapeIdentifier(table)} WHERE ${name} LIKE 'v1.%' GROUP BY 1 ORDER BY 1`,
    );
    found.push(...rows.map((row) => ({ service, table, column, ...row, state: stateOf(row.key_id, known) })));
  }
  return found;
}

function stateOf(id: string, known: readonly string[]): KeyState {
  if (known.length === 0) return 'unknown';
  if (id === known[0]) return 'current';
  return known.includes(id) ? 'old' : 'MISSING';
}

function idsOf(secretsKeys: string): string[] {
  return secretsKeys === '' ? [] : secretsKeys.split(',').map((entry) => entry.trim().split(':')[0]!);
}
