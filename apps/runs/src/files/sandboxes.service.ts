import {
  AppError,
  maxFileBytes,
  maxSandboxesOfTeam,
  notFound,
  notStoredKey,
  type StagedFile,
} from '@aos/contracts';
import { sandboxRoot } from '@aos/file-store';
import { newId, Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { type RunsConfig, RunsSettings } from '../runs.config.js';
import { refusalOf, tooLarge, tooManyBytes, tooManyFiles } from './file-refusal.js';
import { FileGarbageRepository, FileSweeps } from './file-sweeps.js';
import { toListedFile, toSandboxFile } from './sandbox-file.mapper.js';
import { acceptFilePath, acceptFolderPath, graceMs, uploadMs } from './sandbox-paths.js';
import type { SandboxFileEntity } from './sandbox.entities.js';
import { SandboxesRepository, type SandboxLimits, type StoredFile } from './sandboxes.repository.js';

const lifetimeMs = 24 * 3600_000;

/** A file that is to be part of a sandbox, its bytes stored already. */
export interface NewFile {
  readonly teamId: string;
  readonly sandboxId: string;
  readonly path: string;
  readonly staged: Pick<StagedFile, 'key' | 'size_bytes' | 'sha256'>;
}

/** A file that a client or a run wants to store. */
export interface WantedFile {
  readonly teamId: string;
  readonly sandboxId: string;
  /** If it is known already. */
  readonly path?: string;
  readonly sizeBytes?: number;
}

/** A file as it is now; `created` tells a new path from one whose content was replaced. */
export interface CommittedRow {
  readonly file: SandboxFileEntity;
  readonly created: boolean;
}

/** Files of sandboxes. Bytes are stored and deleted elsewhere; a committed row makes them a file. */
@Injectable()
export class SandboxesService {
  constructor(
    private readonly sandboxes: SandboxesRepository,
    private readonly garbage: FileGarbageRepository,
    private readonly sweeps: FileSweeps,
    private readonly transactions: Transactions,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
  ) {}

  async create(teamId: string): Promise<{ sandbox_id: string; expires_at: string }> {
    const id = newId();
    return this.transactions.run(async () => {
      if ((await this.sandboxes.countOfTeam(teamId)) >= maxSandboxesOfTeam) {
        throw new AppError('limit_reached', `A team has at most ${maxSandboxesOfTeam} sandboxes in use.`);
      }
      const expiresAt = await this.sandboxes.insert(teamId, id, lifetimeMs);
      return { sandbox_id: id, expires_at: expiresAt.toISOString() };
    });
  }

  /** For a run that is about to use it: from now on there is a day to store the run. */
  async use(teamId: string, sandboxId: string): Promise<void> {
    if (!(await this.sandboxes.renew(teamId, sandboxId, lifetimeMs))) throw notFound('The sandbox');
  }

  async assertExists(teamId: string, sandboxId: string): Promise<void> {
    if (!(await this.sandboxes.exists(teamId, sandboxId))) throw notFound('The sandbox');
  }

  /** The key under which bytes for the sandbox may be stored, and how many. */
  async stage(wanted: WantedFile): Promise<{ key: string; maxBytes: number }> {
    const maxBytes = await this.assertRoom(wanted);
    const key = this.newKey(wanted.sandboxId);
    await this.garbage.add(key, uploadMs);
    return { key, maxBytes };
  }

  /** How many bytes it may have; refuses what finds no room. */
  async assertRoom(wanted: WantedFile): Promise<number> {
    const usage = await this.sandboxes.usage(wanted.teamId, wanted.sandboxId);
    if (!usage) throw notFound('The sandbox');
    return this.roomFor(wanted, usage);
  }

  /** Deletes bytes that were staged and will be no file. */
  async discard(sandboxId: string, key: string): Promise<void> {
    if (!key.startsWith(keysOf(sandboxId))) return;
    await this.garbage.expedite(key);
    this.sweeps.wake();
  }

  /** Makes stored bytes a file; `created` tells a new path from one whose content was replaced. */
  async commit({ teamId, sandboxId, path: text, staged }: NewFile): Promise<CommittedRow> {
    const path = acceptFilePath(text);
    if (staged.size_bytes > maxFileBytes) throw tooLarge();
    return this.transactions.run(async () => {
      if (!(await this.sandboxes.lock(teamId, sandboxId))) throw notFound('The sandbox');
      if (staged.key === notStoredKey) {
        await this.assertRoom({ teamId, sandboxId, path, sizeBytes: staged.size_bytes });
        throw notStored();
      }
      if (!staged.key.startsWith(keysOf(sandboxId))) throw foreignKey();
      const [row] = await this.commitLocked([{ teamId, sandboxId, path, ...staged }]);
      if (row instanceof AppError) throw row;
      return row!;
    });
  }

  /** In the open transaction, in which their sandboxes are locked: at most one file of each. What is refused is so alone. */
  async commitLocked(files: readonly StoredFile[]): Promise<(CommittedRow | AppError)[]> {
    const limits = this.limits();
    const committed = await this.sandboxes.commit(files, limits);
    return files.map(({ sandboxId, path, key, size_bytes: size, sha256 }, n) => {
      const refusal = refusalOf(path, committed[n], limits);
      if (refusal) return refusal;
      const { created, updated_at: updatedAt } = committed[n]!;
      const file = { sandbox_id: sandboxId, path, key, size_bytes: String(size), sha256 };
      return { file: { ...file, updated_at: updatedAt! }, created };
    });
  }

  /** False if there was no such file. */
  async remove(teamId: string, sandboxId: string, text: string): Promise<boolean> {
    const path = acceptFilePath(text);
    return this.transactions.run(async () => {
      if (!(await this.sandboxes.lock(teamId, sandboxId))) return false;
      return this.sandboxes.remove(sandboxId, path, graceMs);
    });
  }

  /** The file at the path, or the one that was changed last. The caller has looked whose sandbox it is. */
  async find(sandboxId: string, text: string | undefined): Promise<SandboxFileEntity> {
    const file =
      text === undefined
        ? await this.sandboxes.findLatest(sandboxId)
        : await this.sandboxes.find(sandboxId, acceptFilePath(text));
    if (!file) throw notFound('The file');
    return file;
  }

  /** Lists a folder, or a single file. The caller has checked the team of the sandbox. */
  async list(sandboxId: string, text: string | undefined) {
    const path = acceptFolderPath(text);
    const entries = await this.sandboxes.list(sandboxId, path);
    if (entries.length > 0 || path === sandboxRoot) return entries.map((entry) => toListedFile(path, entry));
    const file = await this.sandboxes.find(sandboxId, path);
    if (!file) throw notFound('The folder');
    return [toSandboxFile(file)];
  }

  countFiles(sandboxId: string): Promise<number> {
    return this.sandboxes.countFiles(sandboxId);
  }

  /** A new key for bytes of the sandbox. */
  newKey(sandboxId: string): string {
    return `${keysOf(sandboxId)}${newId()}`;
  }

  private limits(): SandboxLimits {
    const { SANDBOX_MAX_FILES: maxFiles, SANDBOX_MAX_BYTES: maxBytes } = this.settings;
    return { maxFiles, maxBytes, graceMs };
  }

  /**
   * How many bytes the file may have; the commit decides again, for others come meanwhile. Where all is full, the file
   * may still replace another: the one at its path, or while that is not known the largest.
   */
  private async roomFor(
    { sandboxId, path, sizeBytes }: WantedFile,
    usage: { files: number; bytes: number },
  ): Promise<number> {
    const { SANDBOX_MAX_FILES: maxFiles, SANDBOX_MAX_BYTES: maxBytes } = this.settings;
    if (sizeBytes !== undefined && sizeBytes > maxFileBytes) throw tooLarge();
    const leftBytes = Math.max(0, maxBytes - usage.bytes);
    if (usage.files < maxFiles && (sizeBytes ?? maxFileBytes) <= leftBytes) return maxFileBytes;
    const replacedBytes =
      path === undefined
        ? await this.sandboxes.largest(sandboxId)
        : (await this.sandboxes.find(sandboxId, acceptFilePath(path)))?.size_bytes;
    if (replacedBytes === undefined && usage.files >= maxFiles) throw tooManyFiles(maxFiles);
    const room = leftBytes + Number(replacedBytes ?? 0);
    if (sizeBytes !== undefined && sizeBytes > room) throw tooManyBytes(maxBytes);
    return Math.min(room, maxFileBytes);
  }
}

function foreignKey(): AppError {
  return new AppError('invalid_state', 'The upload took too long; send the file again.');
}

/** Its bytes were not stored for want of a place, and now there is one: the same request may succeed. */
function notStored(): AppError {
  return new AppError('unavailable', 'The file was not stored; send it again.');
}

function keysOf(sandboxId: string): string {
  return `sandboxes/${sandboxId}/`;
}
