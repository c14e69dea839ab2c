import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { memoryFileSchema } from '../operations/agents/memory-files.js';
import { idSchema } from '../schemas/common.js';
import { runWorkers } from '../services.js';

const owner = 'agents-and-revisions';
/** What a run is told of a file. */
const fileSchema = memoryFileSchema.pick({ path: true, size_bytes: true, updated_at: true });
const agent = { team_id: idSchema, agent_id: idSchema };

/** What a run has of its agent's memory. Refused with a reason that can be told to the agent. */
export const readMemory = defineInternalCall({
  name: 'internal.readMemory',
  owner,
  callers: ['runs', runWorkers],
  request: z.object({ ...agent, path: z.string() }),
  response: z.object({ content: z.string() }),
});

export const writeMemory = defineInternalCall({
  name: 'internal.writeMemory',
  owner,
  callers: ['runs', runWorkers],
  request: z.object({ ...agent, run_id: idSchema, path: z.string(), content: z.string() }),
  response: fileSchema,
});

export const listMemory = defineInternalCall({
  name: 'internal.listMemory',
  owner,
  callers: ['runs', runWorkers],
  request: z.object(agent),
  response: z.object({ files: z.array(fileSchema) }),
});
