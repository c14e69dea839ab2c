import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { In, IsNull, type Repository } from 'typeorm';
import { takeGarbage } from './file-garbage.sql.js';
import { FileGarbageEntity } from './sandbox.entities.js';

/** A sweep that died while it deleted bytes is followed by another after this time. */
const takenForMs = 600_000;

/** Every key is noted here before its bytes are written, and again when they are no longer used. */
@Injectable()
export class FileGarbageRepository {
  constructor(private readonly transactions: Transactions) {}

  async add(key: string, afterMs: number): Promise<void> {
    await this.garbage.insert({ key, due_at: () => `now() + ${Number(afterMs)} * interval '1 ms'` });
  }

  /** In the transaction that makes the bytes a file. False if they are being deleted already. */
  async rescue(key: string): Promise<boolean> {
    const { affected } = await this.garbage.delete({ key, taken_at: IsNull() });
    return affected === 1;
  }

  /** No upload needs the bytes any more. Those that were rescued are noted nowhere, and stay. */
  async expedite(key: string): Promise<void> {
    await this.garbage.update({ key }, { due_at: () => 'now()' });
  }

  /** Keys whose bytes the caller has to delete. */
  async take(limit: number): Promise<string[]> {
    const rows = await this.transactions.query<{ key: string }>(takeGarbage, [limit, takenForMs]);
    return rows.map(({ key }) => key);
  }

  async forget(keys: readonly string[]): Promise<void> {
    await this.garbage.delete({ key: In(keys) });
  }

  private get garbage(): Repository<FileGarbageEntity> {
    return this.transactions.repository(FileGarbageEntity);
  }
}
