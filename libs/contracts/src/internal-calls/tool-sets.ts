import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { pluginSchema } from '../operations/connections/plugins.js';

/** The built-in tool sets, and which of them this installation has. */
export const describeToolSets = defineInternalCall({
  name: 'internal.describeToolSets',
  owner: 'runs',
  callers: ['connections'],
  request: z.object({}),
  response: z.object({ tool_sets: z.array(pluginSchema) }),
});
