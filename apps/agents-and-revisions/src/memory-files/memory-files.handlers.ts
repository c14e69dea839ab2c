import {
  deleteAgentMemoryFile,
  getAgentMemoryFile,
  listAgentMemoryFiles,
  putAgentMemoryFile,
  type memoryFileSchema,
  type Req,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import type { MemoryFileHead } from './memory-files.repository.js';
import { MemoryFilesService } from './memory-files.service.js';

@Controller()
export class MemoryFilesHandlers {
  constructor(private readonly files: MemoryFilesService) {}

  @Handles(listAgentMemoryFiles)
  async listAgentMemoryFiles({ teamId, params, query }: Req<typeof listAgentMemoryFiles>) {
    return listAnswer('files', await this.files.list(teamId, params.agent_id, query), toMemoryFile);
  }

  @Handles(getAgentMemoryFile)
  async getAgentMemoryFile({ teamId, params }: Req<typeof getAgentMemoryFile>) {
    const file = await this.files.get(teamId, params.agent_id, params.path);
    return { ...toMemoryFile(file), content: file.content };
  }

  @Handles(putAgentMemoryFile)
  async putAgentMemoryFile({ teamId, principal, params, body }: Req<typeof putAgentMemoryFile>) {
    const file = await this.files.write(teamId, params.agent_id, {
      path: params.path,
      content: body.content,
      by: { userId: principal.credentialId },
    });
    return { ...toMemoryFile(file), content: body.content };
  }

  @Handles(deleteAgentMemoryFile)
  async deleteAgentMemoryFile({ teamId, params }: Req<typeof deleteAgentMemoryFile>) {
    await this.files.delete(teamId, params.agent_id, params.path);
    return { success: true as const };
  }
}

export function toMemoryFile(file: MemoryFileHead): z.input<typeof memoryFileSchema> {
  return {
    name: file.path.slice(file.path.lastIndexOf('/') + 1),
    path: file.path,
    size_bytes: file.size_bytes,
    updated_at: file.updated_at.toISOString(),
    generation: file.generation!,
    source_type: file.source_run_id === null ? 'user' : 'run',
    source_run_id: file.source_run_id,
    source_agent_run_id: file.source_run_id,
    source_user_id: file.source_user_id,
    source_updated_at: file.updated_at.toISOString(),
  };
}
