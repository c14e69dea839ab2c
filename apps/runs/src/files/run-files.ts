import type { Readable } from 'node:stream';
import type { ToolContext } from '@aos/agent-runtime';
import { AppError, maxFileBytes } from '@aos/contracts';
import { Files, type FileStore, FileTooLarge } from '@aos/file-store';
import { Inject, Injectable } from '@nestjs/common';
import { RunLost } from '../run-core/claims/lease.js';
import { RunFileCommits, StagedWrites } from './run-file-commits.js';
import { acceptFilePath } from './sandbox-paths.js';
import type { SandboxFileEntity } from './sandbox.entities.js';
import { SandboxesService } from './sandboxes.service.js';

/** The run for which a worker reads and writes. */
export type WorkingRun = Pick<ToolContext, 'runId' | 'teamId' | 'sandboxId' | 'fence' | 'signal'>;

/** What is stored together with a file. */
export interface WriteTogether {
  /** The tool whose call this is: it is noted here and not before. */
  readonly noteAs?: string;
  /** Written in the transaction that makes the bytes a file. */
  readonly beside?: (file: SandboxFileEntity) => Promise<void>;
}

/** What is thrown away if there is no room for it costs little. */
const smallBytes = 1024 * 1024;

/** The files of a run in the hands of its worker: what it writes counts only while the run is its own. */
@Injectable()
export class RunFiles {
  constructor(
    private readonly sandboxes: SandboxesService,
    @Inject(Files) private readonly files: FileStore,
    private readonly staged: StagedWrites,
    private readonly commits: RunFileCommits,
  ) {}

  /** Stores a file, and tells of one that is new. */
  async write(
    run: WorkingRun,
    path: string,
    source: Readable | Buffer,
    { noteAs, beside }: WriteTogether = {},
  ): Promise<SandboxFileEntity> {
    const { sandboxId, signal } = run;
    const accepted = acceptFilePath(path);
    const { key, maxBytes } = await this.stage(run, path, source, noteAs);
    try {
      const { sizeBytes, sha256 } = await this.files.write(key, source, { maxBytes, signal });
      const { runId, teamId, fence: token } = run;
      const file = { runId, teamId, token, sandboxId, path: accepted, key, size_bytes: sizeBytes, sha256 };
      return await (beside ? this.commits.commitWith(file, beside) : this.commits.commit(file));
    } catch (error) {
      // Without the database they are swept when their time is over.
      await this.sandboxes.discard(sandboxId, key).catch(() => undefined);
      if (!(error instanceof FileTooLarge) || maxBytes === maxFileBytes) throw error;
      throw new AppError('limit_reached', `The sandbox has room for a file of ${maxBytes} bytes.`);
    }
  }

  /** Whether there is room for a small file is found when it is committed: asking before would cost as much. */
  private async stage(
    run: WorkingRun,
    path: string,
    source: Readable | Buffer,
    noteAs: string | undefined,
  ): Promise<{ key: string; maxBytes: number }> {
    const { runId, teamId, sandboxId, fence: token } = run;
    if (!Buffer.isBuffer(source)) return this.sandboxes.stage({ teamId, sandboxId, path });
    if (source.length > smallBytes)
      await this.sandboxes.assertRoom({ teamId, sandboxId, path, sizeBytes: source.length });
    const key = this.sandboxes.newKey(sandboxId);
    if (!(await this.staged.note({ runId, token, key, noteAs }))) throw new RunLost(runId);
    return { key, maxBytes: maxFileBytes };
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
  remove({ runId, teamId, sandboxId, fence: token }: WorkingRun, text: string): Promise<boolean> {
    return this.commits.remove({ runId, teamId, sandboxId, token, path: acceptFilePath(text) });
  }
}
