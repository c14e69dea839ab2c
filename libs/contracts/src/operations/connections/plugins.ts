import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { named } from '../../schemas/named.js';

export const pluginTypes = ['tool', 'connector', 'mcp'] as const;

export const pluginTypeSchema = named('PluginType', z.enum(pluginTypes));

export const pluginSchema = named(
  'Plugin',
  z.object({
    name: z.string(),
    type: pluginTypeSchema,
    title: z.string(),
    description: z.string(),
    tools: z.array(z.object({ name: z.string(), description: z.string() })),
    /** Whether agents of this installation can use it now. */
    configured: z.boolean(),
  }),
);

export type Plugin = z.output<typeof pluginSchema>;

export const listPluginCatalog = defineOperation({
  operationId: 'listPluginCatalog',
  method: 'GET',
  path: '/v2/plugins/catalog',
  tag: 'Plugins',
  summary: 'List the tool sets and connectors available to agents',
  owner: 'connections',
  scope: 'connections:read',
  status: 200,
  response: z.object({ plugins: z.array(pluginSchema) }),
});
