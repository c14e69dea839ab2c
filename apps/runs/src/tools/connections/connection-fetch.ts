import type { Egress } from '@aos/egress';
import { McpFailure } from '@aos/mcp-client';
import { AppError } from '@aos/contracts';
import type { ConnectionCredentials } from './connection-credentials.js';
import { ConnectionProblem } from './connection-problem.js';

/** `fetch` for the client of an MCP server: through the guard, with what the connection authenticates with. */
export function connectionFetch(egress: Egress, credentials: ConnectionCredentials): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    try {
      return await credentials.send(url, async (headers) => {
        const all = new Headers(init?.headers);
        for (const [name, value] of Object.entries(headers)) all.set(name, value);
        const response = await egress.fetch(url, { ...init, headers: all, redirect: 'manual' });
        if (response.status === 401) await response.body?.cancel();
        return response;
      });
    } catch (error) {
      if (error instanceof ConnectionProblem) throw refused(error);
      if (error instanceof AppError)
        throw new McpFailure('unsent', 'A part of the service is away for a moment.');
      throw error;
    }
  };
}

/** A request that was refused has had no effect. */
function refused({ passing, message }: ConnectionProblem): McpFailure {
  return new McpFailure(passing ? 'unsent' : 'http', message, 401);
}
