import { findPage, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { Not, type Repository } from 'typeorm';
import { MemoryFileEntity } from './memory-file.entity.js';
import { findMemoryFile, nextGeneration, numberFiles } from './memory-files.sql.js';

export type MemoryFileHead = Omit<MemoryFileEntity, 'content'>;
export type MemoryFileContent = Omit<MemoryFileEntity, 'updated_at' | 'generation'> & {
  readonly generation: number;
};

const head = {
  agent_id: true,
  path: true,
  team_id: true,
  size_bytes: true,
  source_run_id: true,
  source_user_id: true,
  generation: true,
  updated_at: true,
} as const;

@Injectable()
export class MemoryFilesRepository {
  constructor(private readonly transactions: Transactions) {}

  async list(teamId: string, agentId: string, page: PageRequest): Promise<Page<MemoryFileHead>> {
    const where = { agent_id: agentId, team_id: teamId };
    const read = () => findPage(this.rows, { select: head, where, order: { path: 'ASC' } }, page);
    const found = await read();
    if (found.items.every(isNumbered)) return found;
    await this.number(teamId, agentId);
    return read();
  }

  async find(teamId: string, agentId: string, path: string): Promise<MemoryFileEntity | undefined> {
    const read = async () =>
      (await this.transactions.query<MemoryFileEntity>(findMemoryFile, [teamId, agentId, path]))[0];
    const found = await read();
    if (!found || isNumbered(found)) return found;
    await this.number(teamId, agentId);
    return read();
  }

  /** In the transaction of the write: writes of an agent wait for each other, so that the later one has the larger number. */
  async nextGeneration(teamId: string, agentId: string): Promise<number> {
    await this.number(teamId, agentId);
    const [row] = await this.transactions.query<{ last: number }>(nextGeneration, [agentId]);
    return row!.last;
  }

  /** Files that were written before files had numbers, or by a replica of that version. */
  async number(teamId: string, agentId: string): Promise<void> {
    await this.transactions.query(numberFiles, [teamId, agentId]);
  }

  /** Undefined if there is no such file. */
  async replace(file: MemoryFileContent): Promise<MemoryFileHead | undefined> {
    const { content, size_bytes, source_run_id, source_user_id, generation } = file;
    const { affected } = await this.rows.update(identityOf(file), {
      content,
      size_bytes,
      source_run_id,
      source_user_id,
      generation,
      updated_at: () => 'now()',
    });
    return affected === 0 ? undefined : this.headOf(file);
  }

  /** After the files were counted; one that has come meanwhile is replaced. */
  async create(file: MemoryFileContent): Promise<MemoryFileHead> {
    await this.rows.upsert({ ...file, updated_at: () => 'now()' }, ['agent_id', 'path']);
    return this.headOf(file);
  }

  /** The files of the agent beside the one at this path. */
  async countOthers(teamId: string, agentId: string, path: string): Promise<number> {
    return this.rows.countBy({ agent_id: agentId, team_id: teamId, path: Not(path) });
  }

  async delete(teamId: string, agentId: string, path: string): Promise<boolean> {
    const { affected } = await this.rows.delete({ agent_id: agentId, team_id: teamId, path });
    return affected === 1;
  }

  private async headOf(file: MemoryFileContent): Promise<MemoryFileHead> {
    return this.rows.findOneOrFail({ select: head, where: identityOf(file) });
  }

  private get rows(): Repository<MemoryFileEntity> {
    return this.transactions.repository(MemoryFileEntity);
  }
}

function isNumbered({ generation }: Pick<MemoryFileEntity, 'generation'>): boolean {
  return generation !== null;
}

function identityOf({ agent_id, team_id, path }: MemoryFileContent) {
  return { agent_id, team_id, path };
}
