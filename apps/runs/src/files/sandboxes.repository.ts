import { PreparedStatements, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { SandboxEntity, SandboxFileEntity } from './sandbox.entities.js';
import { foldersOf } from './sandbox-paths.js';
import { commitFiles, largestFile, listFolder, removeFile } from './sandbox-files.sql.js';
import {
  countFiles,
  lockExpired,
  lockForRuns,
  lockSandbox,
  makeOwnSandbox,
  removeUnused,
  renewSandbox,
  sandboxExists,
  sandboxUsage,
} from './sandboxes.sql.js';

/** One entry of a folder. */
export interface ListedEntry {
  readonly name: string;
  readonly is_folder: boolean;
  readonly size_bytes: string;
  readonly updated_at: Date;
}

/** A file whose bytes are stored. */
export interface StoredFile {
  readonly teamId: string;
  readonly sandboxId: string;
  readonly path: string;
  readonly key: string;
  readonly size_bytes: number;
  readonly sha256: string;
}

export interface SandboxLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly graceMs: number;
}

/** What became of a file: without a refusal and a time its bytes were gone. */
export interface CommittedFile {
  readonly refusal: 'in_the_way' | 'files' | 'bytes' | null;
  readonly blocked_by: string | null;
  readonly created: boolean;
  readonly updated_at: Date | null;
}

@Injectable()
export class SandboxesRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
  ) {}

  /** How many the team has made or used within their lifetime. Until the transaction ends no other makes one for the team. */
  async countOfTeam(teamId: string): Promise<number> {
    await this.transactions.lock(`sandboxes of ${teamId}`);
    return this.transactions
      .repository(SandboxEntity)
      .countBy({ team_id: teamId, expires_at: Raw((expiresAt) => `${expiresAt} > now()`) });
  }

  async insert(teamId: string, id: string, lifetimeMs: number): Promise<Date> {
    const sandboxes = this.transactions.repository(SandboxEntity);
    await sandboxes.insert({
      id,
      team_id: teamId,
      files: 0,
      bytes: '0',
      created_at: () => 'now()',
      expires_at: () => `now() + ${Number(lifetimeMs)} * interval '1 ms'`,
    });
    const { expires_at: expiresAt } = await sandboxes.findOneByOrFail({ id, team_id: teamId });
    return expiresAt!;
  }

  /** Whether it is there and the team's; the own sandbox of a run is, even if nothing is in it. */
  async exists(teamId: string, id: string): Promise<boolean> {
    const rows = await this.statements.read(sandboxExists, [teamId, id]);
    return rows.length > 0;
  }

  /** What is in it, if it is there and the team's. */
  async usage(teamId: string, id: string): Promise<{ files: number; bytes: number } | undefined> {
    const [row] = await this.statements.read<{ files: number; bytes: string }>(sandboxUsage, [teamId, id]);
    return row && { files: row.files, bytes: Number(row.bytes) };
  }

  /** The size of its largest file. */
  async largest(id: string): Promise<number | undefined> {
    const [row] = await this.statements.read<{ size_bytes: string | null }>(largestFile, [id]);
    return row!.size_bytes === null ? undefined : Number(row!.size_bytes);
  }

  /** Lets it live for this long from now on, so that a run which is about to use it finds it. */
  async renew(teamId: string, id: string, lifetimeMs: number): Promise<boolean> {
    const rows = await this.transactions.query(renewSandbox, [teamId, id, lifetimeMs]);
    return rows.length > 0 || this.exists(teamId, id);
  }

  /** For a change of its files: one at a time. Makes the row of a run's own sandbox. */
  async lock(teamId: string, id: string): Promise<SandboxEntity | undefined> {
    const read = () => this.transactions.query<SandboxEntity>(lockSandbox, [teamId, id]);
    const [found] = await read();
    if (found) return found;
    const [made] = await this.transactions.query<SandboxEntity>(makeOwnSandbox, [teamId, id]);
    return made ?? (await read())[0];
  }

  async find(sandboxId: string, path: string): Promise<SandboxFileEntity | undefined> {
    const file = await this.transactions
      .repository(SandboxFileEntity)
      .findOneBy({ sandbox_id: sandboxId, path });
    return file ?? undefined;
  }

  async findLatest(sandboxId: string): Promise<SandboxFileEntity | undefined> {
    const [file] = await this.transactions.repository(SandboxFileEntity).find({
      where: { sandbox_id: sandboxId },
      order: { updated_at: 'DESC', path: 'DESC' },
      take: 1,
    });
    return file;
  }

  /** What lies directly in a folder. A folder has the bytes of all that is in it. */
  async list(sandboxId: string, folder: string): Promise<ListedEntry[]> {
    return this.statements.read<ListedEntry>(listFolder, [sandboxId, folder]);
  }

  /** In the open transaction, in which their sandboxes are locked; at most one of each. In the order of the files. */
  async commit(files: readonly StoredFile[], limits: SandboxLimits): Promise<(CommittedFile | undefined)[]> {
    const input = files.map(({ teamId, sandboxId, path, ...file }, n) => {
      return { ...file, n, team_id: teamId, sandbox_id: sandboxId, path, folders: foldersOf(path) };
    });
    const rows = await this.transactions.query<CommittedFile & { n: number }>(commitFiles, [
      JSON.stringify(input),
      limits.maxFiles,
      limits.maxBytes,
      limits.graceMs,
    ]);
    const byPlace = new Map(rows.map((row) => [row.n, row]));
    return files.map((_, n) => byPlace.get(n));
  }

  /** For files of runs, in the open transaction: tells which of the runs are still their workers'. */
  async lockForRuns(
    writes: readonly { runId: string; token: string; teamId: string; sandboxId: string }[],
  ): Promise<ReadonlySet<number>> {
    const input = writes.map(({ runId, token, teamId, sandboxId }, n) => {
      return { n, run_id: runId, token, team_id: teamId, sandbox_id: sandboxId };
    });
    const rows = await this.transactions.query<{ n: number }>(lockForRuns, [JSON.stringify(input)]);
    return new Set(rows.map(({ n }) => n));
  }

  /** In the open transaction, in which the sandbox is locked. False if there was no such file. */
  async remove(sandboxId: string, path: string, graceMs: number): Promise<boolean> {
    const rows = await this.transactions.query(removeFile, [sandboxId, path, graceMs]);
    return rows.length > 0;
  }

  async countFiles(sandboxId: string): Promise<number> {
    const [row] = await this.statements.read<{ files: number }>(countFiles, [sandboxId]);
    return row?.files ?? 0;
  }

  /** Removes sandboxes that have expired, unless runs use them; their bytes become garbage. Returns how many it looked at. */
  async removeExpired(limit: number): Promise<number> {
    return this.transactions.run(async () => {
      const expired = await this.transactions.query<{ id: string }>(lockExpired, [limit]);
      if (expired.length > 0) await this.transactions.query(removeUnused, [expired.map(({ id }) => id)]);
      return expired.length;
    });
  }
}
