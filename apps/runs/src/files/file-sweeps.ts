import { Files, type FileStore } from '@aos/file-store';
import { BackgroundLoops, type WakeableLoop } from '@aos/background';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { FileGarbageRepository } from './file-garbage.repository.js';
import { SandboxesRepository } from './sandboxes.repository.js';

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
        this.logger.warn({ err: error }, 'unused bytes could not be deleted');
      }
    }
    if (deleted.length > 0) await this.garbage.forget(deleted);
    return keys.length === batchSize;
  }
}
