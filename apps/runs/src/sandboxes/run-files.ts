import type { Readable } from 'node:stream';
import type { ToolContext } from '@aos/agent-runtime';
import { AppError, maxFileBytes, runFileCreated } from '@aos/contracts';
import { Files, FileTooLarge, type FileStore } from '@aos/file-store';
import { Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { RunLost } from '../run-core/lease.js';
import { RunEvents } from '../run-core/run-events.js';
import { RunChanges } from '../run-core/run-changes.js';
import { RunLeasesRepository } from '../run-core/run-leases.repository.js';
import { changeBy } from '../run-core/run-state.js';
import type { SandboxFileEntity } from './sandbox.entities.js';
import { acceptFilePath } from './sandbox-paths.js';
import { SandboxesService } from './sandboxes.service.js';

/** The run for which a worker reads and writes. */
export type WorkingRun = Pick<ToolContext, 'runId' | 'teamId' | 'sandboxId' | 'fence' | 'signal'>;

/** The files of a run in the hands of its worker: what it writes counts only while the run is its own. */
@Injectable()
export class RunFiles {
  constructor(
    private readonly sandboxes: SandboxesService,
    @Inject(Files) private readonly files: FileStore,
    private readonly changes: RunChanges,
    private readonly leases: RunLeasesRepository,
    private readonly events: RunEvents,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Stores a file, and tells of one that is new. `beside` is written in the same transaction.
   */
  async write(
    run: WorkingRun,
    path: string,
    source: Readable | Buffer,
    beside: (file: SandboxFileEntity) => Promise<void> = async () => undefined,
  ): Promise<SandboxFileEntity> {
    const { teamId, sandboxId, signal } = run;
    acceptFilePath(path);
    const wanted = Buffer.isBuffer(source) ? { path, sizeBytes: source.length } : { path };
    const { key, maxBytes } = await this.sandboxes.stage({ teamId, sandboxId, ...wanted });
    try {
      const { sizeBytes, sha256 } = await this.files.write(key, source, { maxBytes, signal });
      const staged = { key, size_bytes: sizeBytes, sha256 };
      return await this.transactions.run(async () => {
        const { file, created } = await this.sandboxes.commit({ teamId, sandboxId, path, staged });
        await this.confirm(run, created ? file : undefined);
        await beside(file);
        return file;
      });
    } catch (error) {
      // Without the database they are swept when their time is over.
      await this.sandboxes.discard(sandboxId, key).catch(() => undefined);
      if (!(error instanceof FileTooLarge) || maxBytes === maxFileBytes) throw error;
      throw new AppError('limit_reached', `The sandbox has room for a file of ${maxBytes} bytes.`);
    }
  }

  /** The first bytes of a file, at most as many as are asked for. */
  async read(
    { sandboxId, signal }: WorkingRun,
    path: string,
    maxBytes: number,
  ): Promise<{ file: SandboxFileEntity; bytes: Buffer }> {
    const file = await this.sandboxes.find(sandboxId, path);
    const size = Math.min(Number(file.size_bytes), maxBytes);
    if (size === 0) return { file, bytes: Buffer.alloc(0) };
    const { stream } = await this.files.read(file.key, { range: { start: 0, end: size - 1 }, signal });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return { file, bytes: Buffer.concat(chunks) };
  }

  list({ sandboxId }: WorkingRun, path: string | undefined) {
    return this.sandboxes.list(sandboxId, path);
  }

  /** False if there was no such file. */
  async remove(run: WorkingRun, path: string): Promise<boolean> {
    return this.transactions.run(async () => {
      const removed = await this.sandboxes.remove(run.teamId, run.sandboxId, path);
      await this.confirm(run, undefined);
      return removed;
    });
  }

  /** In the open transaction: the run is still the worker's, and tells of a file that is new. */
  private async confirm(
    { runId, teamId, fence }: WorkingRun,
    created: SandboxFileEntity | undefined,
  ): Promise<void> {
    if (!created) {
      if (!(await this.leases.holds({ runId, token: fence }))) throw new RunLost(runId);
      return;
    }
    const data = { run_id: runId, path: created.path, size_bytes: Number(created.size_bytes) };
    const changed = await this.changes.apply({
      runId,
      ...changeBy('step'),
      token: fence,
      keepsLease: true,
      messages: [],
      events: this.events.publicEvent({ event: runFileCreated, teamId, data }),
    });
    if (!changed) throw new RunLost(runId);
  }
}
