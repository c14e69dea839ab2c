import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { idSchema } from '../schemas/common.js';
import { sandboxFileSchema, storedFileSchema } from '../schemas/files.js';

const owner = 'runs';
const sandbox = { team_id: idSchema, sandbox_id: idSchema };

/**
 * A key under which bytes for a sandbox may be stored, and how many; those that are not committed in time are swept.
 * Refused where a file of the given size cannot become part of the sandbox. The path tells what it would replace.
 */
export const stageFile = defineInternalCall({
  name: 'internal.stageFile',
  owner,
  callers: ['gateway'],
  request: z.object({
    ...sandbox,
    path: z.string().optional(),
    size_bytes: z.int().min(0).optional(),
  }),
  response: z.object({ key: z.string(), max_bytes: z.int() }),
});

/** Nothing will become of staged bytes: they are deleted at once. Those that are a file already stay. */
export const discardFile = defineInternalCall({
  name: 'internal.discardFile',
  owner,
  callers: ['gateway'],
  request: z.object({ ...sandbox, key: z.string() }),
  response: z.object({}),
});

/** Makes stored bytes a file of the sandbox. */
export const commitFile = defineInternalCall({
  name: 'internal.commitFile',
  owner,
  callers: ['gateway'],
  request: z.object({
    ...sandbox,
    path: z.string(),
    key: z.string(),
    size_bytes: z.int().min(0),
    sha256: z.string(),
  }),
  response: sandboxFileSchema,
});

/** The file of a sandbox, or of the sandbox of a run; without a path the one that was changed last. */
export const findFile = defineInternalCall({
  name: 'internal.findFile',
  owner,
  callers: ['gateway'],
  request: z.object({
    team_id: idSchema,
    of: z.union([
      z.object({ sandbox_id: idSchema }),
      z.object({ run_id: idSchema, agent_id: idSchema.optional() }),
    ]),
    path: z.string().optional(),
  }),
  response: storedFileSchema,
});
