import { PreparedStatements, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { SandboxEntity, SandboxFileEntity } from './sandbox.entities.js';
import { fileInTheWay, largestFile, listFolder, putFile, removeFile } from './sandbox-files.sql.js';
import {
  addToSandbox,
  countFiles,
  lockSandbox,
  makeOwnSandbox,
  removeExpired,
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
    return this.transactions.query<ListedEntry>(listFolder, [sandboxId, folder]);
  }

  /** A file that stands where a folder would have to be, or a folder where the file would be. */
  async inTheWay(sandboxId: string, path: string, folders: readonly string[]): Promise<string | undefined> {
    const [row] = await this.transactions.query<{ path: string }>(fileInTheWay, [sandboxId, path, folders]);
    return row?.path;
  }

  async put(file: Omit<SandboxFileEntity, 'updated_at'>): Promise<Date> {
    const [row] = await this.transactions.query<{ updated_at: Date }>(putFile, [
      file.sandbox_id,
      file.path,
      file.key,
      file.size_bytes,
      file.sha256,
    ]);
    return row!.updated_at;
  }

  async remove(sandboxId: string, path: string): Promise<SandboxFileEntity | undefined> {
    const [row] = await this.transactions.query<SandboxFileEntity>(removeFile, [sandboxId, path]);
    return row;
  }

  async addTo(sandboxId: string, change: { files: number; bytes: number }): Promise<void> {
    await this.transactions.query(addToSandbox, [sandboxId, change.files, change.bytes]);
  }

  async countFiles(sandboxId: string): Promise<number> {
    const [row] = await this.statements.read<{ files: number }>(countFiles, [sandboxId]);
    return row?.files ?? 0;
  }

  /** Removes sandboxes that have expired; their bytes become garbage. Returns how many. */
  async removeExpired(limit: number): Promise<number> {
    const rows = await this.transactions.query(removeExpired, [limit]);
    return rows.length;
  }
}
