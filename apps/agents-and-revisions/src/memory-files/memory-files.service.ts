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

  /** Written by a person, or by the run that is named. */
  async write(
    teamId: string,
    agentId: string,
    { path: rawPath, content, runId = null }: { path: string; content: string; runId?: string | null },
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
    const file = {
      agent_id: agentId,
      team_id: teamId,
      path,
      content,
      size_bytes: sizeBytes,
      source_run_id: runId,
    };
    return (await this.files.replace(file)) ?? this.create(file);
  }

  async delete(teamId: string, agentId: string, rawPath: string): Promise<void> {
    await this.assertAgent(teamId, agentId);
    const path = normalizeMemoryPath(rawPath);
    if (!path || !(await this.files.delete(teamId, agentId, path))) throw notFound('The memory file');
  }

  /** An agent whose memory is switched off has none while it runs; people still see it. */
  async assertUsable(teamId: string, agentId: string): Promise<void> {
    const agent = await this.agents.find(teamId, agentId);
    if (!agent) throw notFound('The agent');
    if (!agent.agentic_memory_enabled) {
      throw new AppError('invalid_state', 'The memory of this agent is switched off.');
    }
  }

  /** So that files made at the same time are counted one after the other. */
  private create(file: MemoryFileContent): Promise<MemoryFileHead> {
    const { team_id: teamId, agent_id: agentId, path } = file;
    return this.transactions.run(async () => {
      if (!(await this.agents.lock(teamId, agentId))) throw notFound('The agent');
      if ((await this.files.countOthers(teamId, agentId, path)) >= maxFilesOfAgent) {
        throw new AppError('limit_reached', `An agent has at most ${maxFilesOfAgent} memory files.`);
      }
      return this.files.create(file);
    });
  }

  private async assertAgent(teamId: string, agentId: string): Promise<void> {
    if (!(await this.agents.find(teamId, agentId))) throw notFound('The agent');
  }
}
