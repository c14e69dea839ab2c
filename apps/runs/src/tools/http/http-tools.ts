import { defineTool, TransientToolError, type Tool, type ToolOutcome } from '@aos/agent-runtime';
import { EgressError, type Egress } from '@aos/egress';
import { z } from 'zod';
import { bodySchema, exchange, headersSchema, isSafe, methodSchema } from './http-exchange.js';
import { toolError } from '../tool-result.js';

const parameters = z.object({
  method: methodSchema,
  url: z.url().max(8_192),
  headers: headersSchema.default({}),
  body: bodySchema.optional(),
});

/** HTTP to the outside world, through the guard. Redirects of safe methods are followed. */
export function httpTools(egress: Egress): Tool[] {
  return [
    defineTool({
      name: 'http_request',
      description: 'Makes an HTTP request and gives status, headers and body of the answer.',
      parameters,
      repeatable: ({ method }) => isSafe(method),
      async execute(call, { signal }): Promise<ToolOutcome> {
        try {
          const send = egress.request;
          return { kind: 'result', result: await exchange(call, { send, signal }) };
        } catch (error) {
          if (!(error instanceof EgressError)) throw error;
          signal.throwIfAborted();
          const mayPass = isSafe(call.method) && (error.kind === 'connect' || error.kind === 'reset');
          if (mayPass) throw new TransientToolError(error.message);
          return toolError(error.message);
        }
      },
    }),
  ];
}
