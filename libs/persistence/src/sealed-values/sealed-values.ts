import type { Logger } from '@aos/platform';
import { SealError, type KeyRing } from '@aos/secrets';
import type { Transactions } from '../transactions/transactions.js';
import { keyIdsSql, resealSql, sealedRowsSql, type SealedColumn } from './sealed-column.sql.js';

export interface KeyInUse {
  readonly table: string;
  readonly column: string;
  readonly keyId: string;
  readonly count: number;
}

type SealedRow = Readonly<Record<string, unknown>> & { readonly sealed_value: string };

const batchSize = 100;

/**
 * What a service has sealed in its tables. Values under a key that is no longer the first of `SECRETS_KEYS` are sealed
 * again under that one, so that old keys can be retired; those whose key is missing are reported.
 */
export class SealedValues {
  private readonly columns: SealedColumn[] = [];
  private reported = '';

  constructor(
    private readonly transactions: Transactions,
    private readonly keyRing: KeyRing,
    private readonly logger: Logger,
  ) {}

  /** To be called while the service is put together. */
  add(column: SealedColumn): void {
    this.columns.push(column);
  }

  async keysInUse(): Promise<KeyInUse[]> {
    const found: KeyInUse[] = [];
    for (const column of this.columns) {
      const rows = await this.transactions.query<{ key_id: string; count: number }>(keyIdsSql(column));
      const { table, column: name } = column;
      found.push(...rows.map(({ key_id: keyId, count }) => ({ table, column: name, keyId, count })));
    }
    return found;
  }

  /** One pass over all columns: reports missing keys, and seals again what is under old ones. */
  async reseal(): Promise<void> {
    const inUse = await this.keysInUse();
    this.reportMissing(inUse.filter(({ keyId }) => !this.keyRing.keyIds.includes(keyId)));
    const old = this.keyRing.keyIds.filter((keyId) => keyId !== this.keyRing.currentKeyId);
    for (const column of this.columns) {
      const isOld = inUse.some(
        ({ table, column: name, keyId }) =>
          table === column.table && name === column.column && old.includes(keyId),
      );
      if (isOld) await this.resealColumn(column, old);
    }
  }

  private async resealColumn(column: SealedColumn, oldKeyIds: readonly string[]): Promise<void> {
    const counts = { resealed: 0, rejected: 0 };
    let after: unknown[] = [];
    for (;;) {
      const rows = await this.transactions.query<SealedRow>(sealedRowsSql(column, after.length === 0), [
        oldKeyIds,
        batchSize,
        ...after,
      ]);
      for (const row of rows) counts[await this.resealRow(column, row)] += 1;
      if (rows.length < batchSize) break;
      after = keyOf(column, rows.at(-1)!);
    }
    const fields = {
      table: column.table,
      column: column.column,
      key_id: this.keyRing.currentKeyId,
      ...counts,
    };
    this.logger.info(fields, 'values were sealed under the present key');
    if (counts.rejected > 0) this.logger.error(fields, 'decryption failed: tampered or wrong context');
  }

  /** A value that does not open stays as it is, and holds up no other. */
  private async resealRow(column: SealedColumn, row: SealedRow): Promise<'resealed' | 'rejected'> {
    const context = column.context(row);
    let text: string;
    try {
      text = this.keyRing.open(row.sealed_value, context);
    } catch (error) {
      if (error instanceof SealError) return 'rejected';
      throw error;
    }
    const anew = this.keyRing.seal(text, context);
    await this.transactions.query(resealSql(column), [anew, row.sealed_value, ...keyOf(column, row)]);
    return 'resealed';
  }

  private reportMissing(missing: readonly KeyInUse[]): void {
    const report = JSON.stringify(missing.map(({ table, column, keyId }) => [table, column, keyId]));
    if (report === this.reported) return;
    this.reported = report;
    for (const { table, column, keyId, count } of missing) {
      this.logger.error(
        { table, column, key_id: keyId, values: count },
        `values are sealed with the key ${keyId}, which is not in SECRETS_KEYS: they cannot be opened`,
      );
    }
  }
}

function keyOf(column: SealedColumn, row: SealedRow): unknown[] {
  return column.key.map((name) => row[name]);
}
