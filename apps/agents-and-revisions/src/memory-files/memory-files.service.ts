import { AppError, notFound } from '@aos/contracts';
import { Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { AgentsRepository } from '../agents/agents.repository.js';
import type { MemoryFileEntity } from './memory-file.entity.js';
import {
  MemoryFilesRepository,
  type MemoryFileContent,
  type MemoryFileHead,
} from './memory-files.repository.js';
import { normalizeMemoryPath } from './memory-path.js';

const maxBytes = 256 * 1024;
/** As many as a run can list. */
export const maxFilesOfAgent = 1_000;

/** A run, or a credential. */
export interface MemoryWriter {
  readonly runId?: string;
  readonly userId?: string;
}

@Injectable()
export class MemoryFilesService {
  constructor(
    private readonly files: MemoryFilesRepository,
    private readonly agents: AgentsRepository,
    private readonly transactions: Transactions,
  ) {}

  async list(teamId: string, agentId: string, page: PageRequest): Promise<Page<MemoryFileHead>> {
    await this.assertAgent(teamId, agentId);
    return this.files.list(teamId, agentId, page);
  }

  async get(teamId: string, agentId: string, rawPath: string): Promise<MemoryFileEntity> {
    await this.assertAgent(teamId, agentId);
    const path = normalizeMemoryPath(rawPath);
    const file = path && (await this.files.find(teamId, agentId, path));
    if (!file) throw notFound('The memory file');
    return file;
  }

  async write(
    teamId: string,
    agentId: string,
    { path: rawPath, content, by }: { path: string; content: string; by: MemoryWriter },
  ): Promise<MemoryFileHead> {
    const path = normalizeMemoryPath(rawPath);
    if (path === undefined) {
      throw new AppError(
        'invalid_request',
        'path: must be a relative path without ".." and control characters',
      );
    }
    const sizeBytes = Buffer.byteLength(content);
    if (sizeBytes > maxBytes)
      throw new AppError('invalid_request', `content: must have at most ${maxBytes} bytes`);
    await this.assertAgent(teamId, agentId);
    return this.transactions.run(async () => {
      const file = {
        agent_id: agentId,
        team_id: teamId,
        path,
        content,
        size_bytes: sizeBytes,
        source_run_id: by.runId ?? null,
        source_user_id: by.userId ?? null,
        generation: await this.files.nextGeneration(teamId, agentId),
      };
      return (await this.files.replace(file)) ?? this.create(file);
    });
  }

  async delete(teamId: string, agentId: string, rawPath: string): Promise<void> {
    await this.assertAgent(teamId, agentId);
    const path = normalizeMemoryPath(rawPath);
    // Its number is not for another.
    await this.files.number(teamId, agentId);
    if (!path || !(await this.files.delete(teamId, agentId, path))) throw notFound('The memory file');
  }

  /** An agent whose memory is switched off has none while it runs; people still see it. */
  async assertUsable(teamId: string, agentId: string): Promise<void> {
    const agent = await this.agents.find(teamId, agentId);
    if (!agent) throw notFound('The agent');
    if (!agent.agentic_memory_enabled) {
      throw new AppError('invalid_state', 'Memory is disabled for this agent.');
    }
  }

  /** So that files made at the same time are counted one after the other. */
  private async create(file: MemoryFileContent): Promise<MemoryFileHead> {
    const { team_id: teamId, agent_id: agentId, path } = file;
    if (!(await this.agents.lock(teamId, agentId))) throw notFound('The agent');
    if ((await this.files.countOthers(teamId, agentId, path)) >= maxFilesOfAgent) {
      throw new AppError('limit_reached', `An agent has at most ${maxFilesOfAgent} memory files.`);
    }
    return this.files.create(file);
  }

  private async assertAgent(teamId: string, agentId: string): Promise<void> {
    if (!(await this.agents.find(teamId, agentId))) throw notFound('The agent');
  }
}
