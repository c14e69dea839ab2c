import { z } from 'zod';
import { defineOperation } from '../declarations/operation.js';
import { queryBoolean } from '../schemas/common.js';
import { named } from '../schemas/named.js';

const jsonRpcId = z.union([z.string(), z.number()]);

/** Methods and results are those of the Model Context Protocol, whose own schemas say what they hold. */
const jsonRpcRequest = named(
  'JsonRpcRequest',
  z.object({
    jsonrpc: z.literal('2.0'),
    /** Absent in a notification. */
    id: jsonRpcId.optional(),
    method: z.string(),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
);

const jsonRpcResponse = named(
  'JsonRpcResponse',
  z.object({
    jsonrpc: z.literal('2.0'),
    id: jsonRpcId.nullable(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
  }),
);

/** The gateway answers it itself, message by message: there is no handler for it. */
export const callMcp = defineOperation({
  operationId: 'callMcp',
  method: 'POST',
  path: '/v2/mcp',
  tag: 'MCP',
  summary: 'Send messages to the hosted MCP server',
  description:
    'JSON-RPC over streamable HTTP, without sessions: the 2026-07-28 revision and those before it. Every other operation that takes and answers JSON is a tool, named by its operationId in snake_case. `toolsets` narrows the tools to those of some tags.',
  owner: 'gateway',
  scope: 'mcp:call',
  access: 'any',
  query: z.object({
    /** A comma list of tags in kebab-case, and `agents-as-tools`. */
    toolsets: z.string().max(1000).optional(),
    /** `true`: the list of tools says what each answers. It is three times as long. */
    output_schemas: queryBoolean,
  }),
  body: jsonRpcRequest,
  status: 200,
  kind: 'rpc',
  response: jsonRpcResponse,
});
