import { Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { MemoryFileEntity } from './memory-file.entity.js';

export type MemoryFileHead = Omit<MemoryFileEntity, 'content'>;
export type MemoryFileContent = Omit<MemoryFileEntity, 'updated_at'>;

const head = 'agent_id, path, team_id, size_bytes, source_run_id, updated_at';

@Injectable()
export class MemoryFilesRepository {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  async list(teamId: string, agentId: string, page: PageRequest): Promise<Page<MemoryFileHead>> {
    const items = await this.transactions.query<MemoryFileHead>(
      `SELECT ${head} FROM memory_file WHERE agent_id = $2 AND team_id = $1 ORDER BY path LIMIT $3 OFFSET $4`,
      [teamId, agentId, page.limit, page.offset],
    );
    const [row] = await this.transactions.query<{ count: string }>(
      'SELECT count(*) FROM memory_file WHERE agent_id = $2 AND team_id = $1',
      [teamId, agentId],
    );
    return { items, total: Number(row!.count), ...page };
  }

  async find(teamId: string, agentId: string, path: string): Promise<MemoryFileEntity | undefined> {
    const [row] = await this.transactions.query<MemoryFileEntity>(
      'SELECT * FROM memory_file WHERE agent_id = $2 AND team_id = $1 AND path = $3',
      [teamId, agentId, path],
    );
    return row;
  }

  /** Undefined if there is no such file. */
  async replace(file: MemoryFileContent): Promise<MemoryFileEntity | undefined> {
    const [row] = await this.transactions.query<MemoryFileEntity>(
      `UPDATE memory_file SET content = $4, size_bytes = $5, source_run_id = $6, updated_at = now()
        WHERE agent_id = $2 AND team_id = $1 AND path = $3 RETURNING *`,
      valuesOf(file),
    );
    return row;
  }

  /** For whoever has counted; a file that has come meanwhile is replaced. */
  async create(file: MemoryFileContent): Promise<MemoryFileEntity> {
    const [row] = await this.transactions.query<MemoryFileEntity>(
      `INSERT INTO memory_file (team_id, agent_id, path, content, size_bytes, source_run_id, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, now())
       ON CONFLICT (agent_id, path) DO UPDATE SET content = $4, size_bytes = $5, source_run_id = $6, updated_at = now()
       RETURNING *`,
      valuesOf(file),
    );
    return row!;
  }

  /** The files of the agent beside the one at this path. */
  async countOthers(teamId: string, agentId: string, path: string): Promise<number> {
    const [row] = await this.transactions.query<{ count: string }>(
      'SELECT count(*) FROM memory_file WHERE agent_id = $2 AND team_id = $1 AND path <> $3',
      [teamId, agentId, path],
    );
    return Number(row!.count);
  }

  async delete(teamId: string, agentId: string, path: string): Promise<boolean> {
    const gone = await this.transactions.query(
      'DELETE FROM memory_file WHERE agent_id = $2 AND team_id = $1 AND path = $3 RETURNING path',
      [teamId, agentId, path],
    );
    return gone.length === 1;
  }
}

function valuesOf(file: MemoryFileContent): unknown[] {
  return [file.team_id, file.agent_id, file.path, file.content, file.size_bytes, file.source_run_id];
}
