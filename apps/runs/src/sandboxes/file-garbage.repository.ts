import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';

/** A sweep that died while it deleted bytes is followed by another after this time. */
const takenForMs = 600_000;

/** Every key is noted here before its bytes are written, and again when they are no longer used. */
@Injectable()
export class FileGarbageRepository {
  constructor(private readonly transactions: Transactions) {}

  async add(key: string, afterMs: number): Promise<void> {
    await this.transactions.query(
      `INSERT INTO file_garbage (key, due_at) VALUES ($1, now() + $2 * interval '1 ms')`,
      [key, afterMs],
    );
  }

  /** In the transaction that makes the bytes a file. False if they are being deleted already. */
  async rescue(key: string): Promise<boolean> {
    const rows = await this.transactions.query(
      'DELETE FROM file_garbage WHERE key = $1 AND taken_at IS NULL RETURNING key',
      [key],
    );
    return rows.length === 1;
  }

  /** No upload needs the bytes any more. Those that were rescued are noted nowhere, and stay. */
  async expedite(key: string): Promise<void> {
    await this.transactions.query('UPDATE file_garbage SET due_at = now() WHERE key = $1', [key]);
  }

  /** Keys whose bytes the caller has to delete. */
  async take(limit: number): Promise<string[]> {
    const rows = await this.transactions.query<{ key: string }>(
      `UPDATE file_garbage SET taken_at = now() WHERE key IN (
         SELECT key FROM file_garbage
          WHERE due_at <= now() AND (taken_at IS NULL OR taken_at < now() - $2 * interval '1 ms')
          ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING key`,
      [limit, takenForMs],
    );
    return rows.map(({ key }) => key);
  }

  async forget(keys: readonly string[]): Promise<void> {
    await this.transactions.query('DELETE FROM file_garbage WHERE key = ANY ($1)', [keys]);
  }
}
