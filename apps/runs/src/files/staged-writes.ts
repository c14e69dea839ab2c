import { Batcher, type BatchOutcome } from '@aos/background';
import { isStoreUnavailable, PreparedStatements } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { uploadMs } from './sandbox-times.js';
import { stageWrites } from './staged-writes.sql.js';

/** Bytes that a worker is about to store for its run. */
interface NewWrite {
  readonly runId: string;
  readonly token: string;
  readonly key: string;
  /** The tool whose call this is, if it was not noted before. */
  readonly noteAs?: string;
}

const maxBatch = 100;

/** What is noted before a run stores bytes. Writes that begin together share a statement. */
@Injectable()
export class StagedWrites {
  private readonly batcher = new Batcher<NewWrite, boolean>({
    maxSize: maxBatch,
    run: (writes) => this.write(writes),
    tryAlone: (error) => !isStoreUnavailable(error),
  });

  constructor(private readonly statements: PreparedStatements) {}

  /** False if the run is no longer the worker's. */
  note(write: NewWrite): Promise<boolean> {
    return this.batcher.add(write);
  }

  private async write(writes: readonly NewWrite[]): Promise<readonly BatchOutcome<boolean>[]> {
    const startedAt = new Date();
    const input = writes.map(({ runId, token, key, noteAs }, n) => {
      return { n, run_id: runId, token, key, name: noteAs, started_at: startedAt };
    });
    const rows = await this.statements.write<{ n: number }>(stageWrites, [JSON.stringify(input), uploadMs]);
    const noted = new Set(rows.map(({ n }) => n));
    return writes.map((_, n) => ({ ok: true, value: noted.has(n) }));
  }
}
