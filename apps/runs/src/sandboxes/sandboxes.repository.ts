import { PreparedStatements, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { SandboxFileEntity, SandboxEntity } from './sandbox.entities.js';

/** One entry of a folder. */
export interface ListedEntry {
  readonly name: string;
  readonly is_folder: boolean;
  readonly size_bytes: string;
  readonly updated_at: Date;
}

const usedByRuns = `EXISTS (SELECT 1 FROM run WHERE run.sandbox_id = sandbox.id AND run.sandbox_id <> run.id)`;

/** Expired is what no run uses and no client has renewed, whether or not it was swept yet. */
const alive = `(sandbox.expires_at IS NULL OR sandbox.expires_at > now() OR ${usedByRuns})`;

const fileColumns = 'sandbox_id, path, key, size_bytes, sha256, updated_at';

@Injectable()
export class SandboxesRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
  ) {}

  /** How many the team has made or used within their lifetime. Until the transaction ends no other makes one for the team. */
  async countOfTeam(teamId: string): Promise<number> {
    await this.transactions.lock(`sandboxes of ${teamId}`);
    const [row] = await this.transactions.query<{ count: string }>(
      'SELECT count(*) FROM sandbox WHERE team_id = $1 AND expires_at > now()',
      [teamId],
    );
    return Number(row!.count);
  }

  async insert(teamId: string, id: string, lifetimeMs: number): Promise<{ expires_at: Date }> {
    const [row] = await this.transactions.query<{ expires_at: Date }>(
      `INSERT INTO sandbox (id, team_id, files, bytes, created_at, expires_at)
       VALUES ($2, $1, 0, 0, now(), now() + $3 * interval '1 ms') RETURNING expires_at`,
      [teamId, id, lifetimeMs],
    );
    return row!;
  }

  /** Whether it is there and the team's; the own sandbox of a run is, even if nothing is in it. */
  async exists(teamId: string, id: string): Promise<boolean> {
    const rows = await this.statements.read(
      `SELECT 1 FROM sandbox WHERE id = $2 AND team_id = $1 AND ${alive}
        UNION ALL SELECT 1 FROM run WHERE id = $2 AND team_id = $1 AND sandbox_id = id`,
      [teamId, id],
    );
    return rows.length > 0;
  }

  /** What is in it, if it is there and the team's. */
  async usage(teamId: string, id: string): Promise<{ files: number; bytes: number } | undefined> {
    const [row] = await this.statements.read<{ files: number; bytes: string }>(
      `SELECT files, bytes FROM sandbox WHERE id = $2 AND team_id = $1 AND ${alive}
        UNION ALL SELECT 0, 0 FROM run WHERE id = $2 AND team_id = $1 AND sandbox_id = id
        ORDER BY files DESC LIMIT 1`,
      [teamId, id],
    );
    return row && { files: row.files, bytes: Number(row.bytes) };
  }

  /** The size of its largest file. */
  async largest(id: string): Promise<number | undefined> {
    const [row] = await this.statements.read<{ size_bytes: string | null }>(
      'SELECT max(size_bytes) AS size_bytes FROM sandbox_file WHERE sandbox_id = $1',
      [id],
    );
    return row!.size_bytes === null ? undefined : Number(row!.size_bytes);
  }

  /** Lets it live for this long from now on, so that a run which is about to use it finds it. */
  async renew(teamId: string, id: string, lifetimeMs: number): Promise<boolean> {
    const rows = await this.transactions.query(
      `UPDATE sandbox SET expires_at = greatest(expires_at, now() + $3 * interval '1 ms')
        WHERE id = $2 AND team_id = $1 AND expires_at IS NOT NULL AND ${alive} RETURNING id`,
      [teamId, id, lifetimeMs],
    );
    return rows.length > 0 || this.exists(teamId, id);
  }

  /** For a change of its files: one at a time. Makes the row of a run's own sandbox. */
  async lock(teamId: string, id: string): Promise<SandboxEntity | undefined> {
    const read = () =>
      this.transactions.query<SandboxEntity>(
        `SELECT * FROM sandbox WHERE id = $2 AND team_id = $1 AND ${alive} FOR UPDATE`,
        [teamId, id],
      );
    const [found] = await read();
    if (found) return found;
    const [made] = await this.transactions.query<SandboxEntity>(
      `INSERT INTO sandbox (id, team_id, files, bytes, created_at)
       SELECT id, team_id, 0, 0, now() FROM run WHERE id = $2 AND team_id = $1 AND sandbox_id = id
       ON CONFLICT (id) DO NOTHING RETURNING *`,
      [teamId, id],
    );
    return made ?? (await read())[0];
  }

  async find(sandboxId: string, path: string): Promise<SandboxFileEntity | undefined> {
    const [row] = await this.transactions.query<SandboxFileEntity>(
      `SELECT ${fileColumns} FROM sandbox_file WHERE sandbox_id = $1 AND path = $2`,
      [sandboxId, path],
    );
    return row;
  }

  async findLatest(sandboxId: string): Promise<SandboxFileEntity | undefined> {
    const [row] = await this.transactions.query<SandboxFileEntity>(
      `SELECT ${fileColumns} FROM sandbox_file WHERE sandbox_id = $1
        ORDER BY updated_at DESC, path DESC LIMIT 1`,
      [sandboxId],
    );
    return row;
  }

  /** What lies directly in a folder. A folder has the bytes of all that is in it. */
  async list(sandboxId: string, folder: string): Promise<ListedEntry[]> {
    return this.transactions.query<ListedEntry>(
      `SELECT split_part(rest, '/', 1) AS name, bool_or(strpos(rest, '/') > 0) AS is_folder,
              sum(size_bytes) AS size_bytes, max(updated_at) AS updated_at
         FROM (SELECT substr(path, length($2) + 2) AS rest, size_bytes, updated_at FROM sandbox_file
                WHERE sandbox_id = $1 AND ${within('$2')}) AS inside
        GROUP BY name ORDER BY name`,
      [sandboxId, folder],
    );
  }

  /** A file that stands where a folder would have to be, or a folder where the file would be. */
  async inTheWay(sandboxId: string, path: string, folders: readonly string[]): Promise<string | undefined> {
    const [row] = await this.transactions.query<{ path: string }>(
      `SELECT path FROM sandbox_file
        WHERE sandbox_id = $1 AND (path = ANY ($3) OR (${within('$2')})) LIMIT 1`,
      [sandboxId, path, folders],
    );
    return row?.path;
  }

  async put(file: Omit<SandboxFileEntity, 'updated_at'>): Promise<Date> {
    const [row] = await this.transactions.query<{ updated_at: Date }>(
      `INSERT INTO sandbox_file (${fileColumns}) VALUES ($1, $2, $3, $4, $5, now())
       ON CONFLICT (sandbox_id, path) DO UPDATE SET key = excluded.key, size_bytes = excluded.size_bytes,
         sha256 = excluded.sha256, updated_at = excluded.updated_at
       RETURNING updated_at`,
      [file.sandbox_id, file.path, file.key, file.size_bytes, file.sha256],
    );
    return row!.updated_at;
  }

  async remove(sandboxId: string, path: string): Promise<SandboxFileEntity | undefined> {
    const [row] = await this.transactions.query<SandboxFileEntity>(
      `DELETE FROM sandbox_file WHERE sandbox_id = $1 AND path = $2 RETURNING ${fileColumns}`,
      [sandboxId, path],
    );
    return row;
  }

  async addTo(sandboxId: string, change: { files: number; bytes: number }): Promise<void> {
    await this.transactions.query('UPDATE sandbox SET files = files + $2, bytes = bytes + $3 WHERE id = $1', [
      sandboxId,
      change.files,
      change.bytes,
    ]);
  }

  async countFiles(sandboxId: string): Promise<number> {
    const [row] = await this.statements.read<{ files: number }>('SELECT files FROM sandbox WHERE id = $1', [
      sandboxId,
    ]);
    return row?.files ?? 0;
  }

  /** Removes sandboxes that have expired; their bytes become garbage. Returns how many. */
  async removeExpired(limit: number): Promise<number> {
    const rows = await this.transactions.query(
      `WITH gone AS (
         DELETE FROM sandbox WHERE id IN (
           SELECT id FROM sandbox WHERE expires_at <= now() AND NOT ${usedByRuns}
            ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING id),
       files AS (
         DELETE FROM sandbox_file USING gone WHERE sandbox_file.sandbox_id = gone.id RETURNING key),
       garbage AS (INSERT INTO file_garbage (key, due_at) SELECT key, now() FROM files)
       SELECT id FROM gone`,
      [limit],
    );
    return rows.length;
  }
}

/** Below a folder: `0` is the character behind `/`, and paths are sorted by their bytes. */
function within(folder: string): string {
  return `path > ${folder} || '/' AND path < ${folder} || '0'`;
}
