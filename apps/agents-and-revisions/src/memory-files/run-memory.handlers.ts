import { listMemory, readMemory, writeMemory, type memoryFileSchema, type Req } from '@aos/contracts';
import { HandlesInternal } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { toMemoryFile } from './memory-files.handlers.js';
import { maxFilesOfAgent, MemoryFilesService } from './memory-files.service.js';

/** The memory of an agent as its runs have it. */
@Controller()
export class RunMemoryHandlers {
  constructor(private readonly files: MemoryFilesService) {}

  @HandlesInternal(readMemory)
  async readMemory({
    team_id: teamId,
    agent_id: agentId,
    path,
  }: Req<typeof readMemory>): Promise<{ content: string }> {
    await this.files.assertUsable(teamId, agentId);
    const { content } = await this.files.get(teamId, agentId, path);
    return { content };
  }

  @HandlesInternal(writeMemory)
  async writeMemory({
    team_id: teamId,
    agent_id: agentId,
    run_id: runId,
    path,
    content,
  }: Req<typeof writeMemory>): Promise<z.input<typeof memoryFileSchema>> {
    await this.files.assertUsable(teamId, agentId);
    return toMemoryFile(await this.files.write(teamId, agentId, { path, content, by: { runId } }));
  }

  @HandlesInternal(listMemory)
  async listMemory({
    team_id: teamId,
    agent_id: agentId,
  }: Req<typeof listMemory>): Promise<{ files: z.input<typeof memoryFileSchema>[] }> {
    await this.files.assertUsable(teamId, agentId);
    const { items } = await this.files.list(teamId, agentId, { limit: maxFilesOfAgent, offset: 0 });
    return { files: items.map(toMemoryFile) };
  }
}
