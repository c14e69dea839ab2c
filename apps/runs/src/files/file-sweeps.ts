import { BackgroundLoops, type WakeableLoop } from '@aos/background';
import { Files, type FileStore } from '@aos/file-store';
import { Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { In, IsNull, type Repository } from 'typeorm';
import { FileGarbageEntity } from './sandbox.entities.js';
import { SandboxesRepository } from './sandboxes.repository.js';
import { takeGarbage } from './sandboxes.sql.js';

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

const sweepEveryMs = 30_000;
const temporaryEveryMs = 3600_000;
const batchSize = 100;

/** Deletes what belongs to nothing: bytes that were replaced or never committed, and sandboxes that have expired. */
@Injectable()
export class FileSweeps {
  private readonly loop: WakeableLoop;

  constructor(
    sandboxes: SandboxesRepository,
    private readonly garbage: FileGarbageRepository,
    @Inject(Files) private readonly files: FileStore,
    private readonly logger: Logger,
    loops: BackgroundLoops,
  ) {
    loops.add({
      name: 'the sweep of expired sandboxes',
      idleMs: sweepEveryMs,
      work: async () => (await sandboxes.removeExpired(batchSize)) === batchSize,
    });
    this.loop = loops.add({
      name: 'the sweep of unused files',
      idleMs: sweepEveryMs,
      work: () => this.sweep(),
    });
    loops.add({
      name: 'the sweep of half-written files',
      idleMs: temporaryEveryMs,
      work: async () => {
        await files.sweepTemporary();
        return false;
      },
    });
  }

  /** There is something to delete at once. */
  wake(): void {
    this.loop.wake();
  }

  /** True if there is more. */
  async sweep(): Promise<boolean> {
    const keys = await this.garbage.take(batchSize);
    const deleted: string[] = [];
    for (const key of keys) {
      try {
        await this.files.delete(key);
        deleted.push(key);
      } catch (error) {
        // Tried again when the time of the sweep that took it is over.
        this.logger.warn({ err: error }, 'deleting unused bytes failed');
      }
    }
    if (deleted.length > 0) await this.garbage.forget(deleted);
    return keys.length === batchSize;
  }
}
