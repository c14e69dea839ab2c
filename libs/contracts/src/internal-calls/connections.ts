import { z } from 'zod';
import { defineInternalCall } from '../declarations/internal-call.js';
import { idSchema, secret } from '../schemas/common.js';
import { connectionStatusSchema, connectionTypeSchema } from '../schemas/connections.js';
import { runWorkers } from '../services.js';

const owner = 'connections';

export const maxConnectionsOpened = 100;

const openConnectionSchema = z.object({
  id: idSchema,
  name: z.string(),
  type: connectionTypeSchema,
  provider: z.string(),
  /** The MCP server; of a native connector the address that paths of its `http_request` are relative to. */
  server_url: secret(z.string()),
  /** Whether path and query of the address are a secret. A replica of the version before does not tell. */
  has_secret_address: z.boolean().optional(),
  /** All that is sent with each request, the present token included. */
  headers: secret(z.record(z.string(), z.string())),
  /** The names of those among them whose values are no secret. */
  public_headers: z.array(z.string()),
  /** The hosts that these headers may be sent to: `api.example.com`, or `*.example.com` for all below it. */
  hosts: z.array(z.string()),
  /** Which credentials these are; a report of their failure names them. */
  version: z.int(),
});

export type OpenConnection = z.output<typeof openConnectionSchema>;

/**
 * Why there is nothing to call with. unknown: there is none, or it is another team's · pending: a person has yet to
 * consent · broken: a person has to do something · unavailable: the provider is away, later it may work.
 */
export const connectionObstacleSchema = z.enum(['unknown', 'pending', 'broken', 'unavailable']);

/** Connections ready for use, in the order asked for; a token that is about to end has been refreshed. */
export const openConnections = defineInternalCall({
  name: 'internal.openConnections',
  owner,
  callers: ['runs', runWorkers],
  request: z.object({ team_id: idSchema, connection_ids: z.array(idSchema).max(maxConnectionsOpened) }),
  response: z.object({
    connections: z.array(
      z.discriminatedUnion('ok', [
        z.object({ ok: z.literal(true), connection: openConnectionSchema }),
        z.object({
          ok: z.literal(false),
          id: idSchema,
          /** Null where it is unknown. */
          name: z.string().nullable(),
          obstacle: connectionObstacleSchema,
          message: z.string(),
        }),
      ]),
    ),
  }),
});

/**
 * Reports a server's refusal of credentials. `retry`: newer credentials exist, open the connection again; otherwise it
 * is broken or needs consent.
 */
export const reportConnectionFailure = defineInternalCall({
  name: 'internal.reportConnectionFailure',
  owner,
  callers: ['runs', runWorkers],
  request: z.object({
    team_id: idSchema,
    connection_id: idSchema,
    version: z.int(),
    failure: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('unauthorized') }),
      /** With the `scope` of the challenge (RFC 6750). */
      z.object({ kind: z.literal('insufficient_scope'), scope: z.string().max(8_192) }),
    ]),
  }),
  response: z.object({ retry: z.boolean() }),
});

/** Summaries of connections; unknown ones and those of other teams are left out. */
export const describeConnections = defineInternalCall({
  name: 'internal.describeConnections',
  owner,
  callers: ['runs'],
  request: z.object({ team_id: idSchema, connection_ids: z.array(idSchema).max(maxConnectionsOpened) }),
  response: z.object({
    connections: z.array(
      z.object({
        id: idSchema,
        name: z.string(),
        type: connectionTypeSchema,
        status: connectionStatusSchema,
      }),
    ),
  }),
});
