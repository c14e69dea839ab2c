import { defineTool, type Tool } from '@aos/agent-runtime';
import { AppError, listMemory, readMemory, writeMemory } from '@aos/contracts';
import type { ServiceClient } from '@aos/messaging';
import { z } from 'zod';
import { toolResult } from './tool-result.js';

const path = z.string().min(1).max(512).describe('A relative path, such as notes/customers.md.');

/** Every call is idempotent. */
export function memoryTools(services: ServiceClient): Tool[] {
  return [
    defineTool({
      name: 'read_memory',
      description: 'Reads a file of the memory that all runs of this agent share.',
      parameters: z.object({ path }),
      repeatable: true,
      execute: (args, { teamId, agentId, signal }) =>
        toolResult(async () => {
          const request = { team_id: teamId, agent_id: agentId, path: args.path };
          try {
            return (await services.call(readMemory, request, { signal })).content;
          } catch (error) {
            if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
            throw new AppError('not_found', `There is no memory file ${args.path}.`);
          }
        }),
    }),
    defineTool({
      name: 'write_memory',
      description:
        'Writes a file of the memory that all runs of this agent share. It replaces what was there.',
      parameters: z.object({ path, content: z.string().max(256 * 1024) }),
      repeatable: true,
      execute: (args, { teamId, agentId, runId, signal }) =>
        toolResult(async () => {
          const request = { team_id: teamId, agent_id: agentId, run_id: runId, ...args };
          const file = await services.call(writeMemory, request, { signal });
          return { path: file.path, size_bytes: file.size_bytes };
        }),
    }),
    defineTool({
      name: 'list_memory',
      description: 'Lists the files of the memory that all runs of this agent share.',
      parameters: z.object({}),
      repeatable: true,
      execute: (_args, { teamId, agentId, signal }) =>
        toolResult(async () => {
          const { files } = await services.call(
            listMemory,
            { team_id: teamId, agent_id: agentId },
            { signal },
          );
          return {
            files: files.map((file) => {
              return { path: file.path, size_bytes: file.size_bytes, updated_at: file.updated_at };
            }),
          };
        }),
    }),
  ];
}
