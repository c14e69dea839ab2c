import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  AppError,
  callMcp,
  ignoredFields,
  parseRequest,
  refuseIgnored,
  type OperationEnvelope,
} from '@aos/contracts';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '@aos/persistence';
import { TeamPlans } from '../auth/team-plans.js';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { AskedClients } from './asked-clients.js';
import { allowedCallers, refuseForeign, type AllowedCallers } from './allowed-callers.js';
import { McpExchanges } from './mcp-exchanges.js';
import { McpMeter } from './mcp-meter.js';
import { McpTools, type McpCaller } from './mcp-tools.js';
import { protocolError } from './protocol-errors.js';
import { RunTasks } from './run-tasks.js';
import { declaresForms, ToolServer, type ToolServerOptions } from './tool-server.js';
import { parseToolsets } from './toolsets.js';

const info = { name: 'agent-operations-service', title: 'Agent Operations Service', version: '2.0.0' };

const instructions = [
  'Runs agents of a team: start_run starts one, get_run tells how it gets on, list_run_messages what it said.',
  'A run that waits for a person is answered with respond_to_human_request.',
  'teamId can be left out everywhere: it is the team of the credential.',
].join(' ');

/** The hosted MCP server: JSON-RPC in, JSON-RPC out; what goes wrong before that has the shape of every error. */
@Injectable()
export class McpEndpoint {
  private readonly callers: AllowedCallers;
  private readonly exchanges: McpExchanges;

  constructor(
    private readonly tools: McpTools,
    private readonly tasks: RunTasks,
    private readonly asked: AskedClients,
    private readonly meter: McpMeter,
    private readonly plans: TeamPlans,
    private readonly logger: Logger,
    @Inject(GatewaySettings) config: GatewayConfig,
  ) {
    this.callers = allowedCallers(config);
    this.exchanges = new McpExchanges({
      keepAliveMs: config.EVENT_STREAM_KEEP_ALIVE_MS,
      onError: (error) => this.logger.debug({ err: error }, 'MCP message refused'),
    });
  }

  /** Before anybody is looked up: a browser must not be led here by a foreign page. */
  admit({ headers }: FastifyRequest): void {
    refuseForeign(this.callers, headers);
  }

  async serve(
    { principal, query, body, idempotencyKey }: OperationEnvelope,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    // A mistyped name would offer every tool.
    refuseIgnored(ignoredFields(callMcp, { query }));
    const { toolsets, output_schemas: wantsOutputSchemas = false } = parseRequest(
      { ...callMcp, body: callMcp.params },
      { params: {}, query },
    ).query;
    const caller: McpCaller = {
      principal,
      toolsets: parseToolsets(toolsets, this.tools.toolsets),
      wantsOutputSchemas,
      reply,
      idempotencyKey,
      readsStreams: readsStreams(request.headers.accept),
    };
    if (idempotencyKey !== undefined) refuseSharedKey(body);
    if (principal.teamId !== null) {
      await this.plans.assertFeature(principal.teamId, 'mcp');
      this.meter.count(principal.teamId);
    }
    const post = {
      headers: { get: (name: string) => textOf(request.headers[name]) },
      body,
      signal: goneSignal(reply),
      onResult: (id: unknown, result: unknown) => this.asked.respond(principal, id, result),
    };
    const source: ToolServerOptions = {
      info,
      instructions,
      tools: this.tools.of(caller),
      tasks: this.tasks.of(principal, idempotencyKey),
      showsForms: textOf(request.headers[sessionHeader])?.startsWith(formsSession),
      translate: (error) => protocolError(error, this.logger),
    };
    const response = await this.exchanges.answer(post, (generation) => new ToolServer(generation, source));
    if (introducesForms(body)) reply.header(sessionHeader, formsSession + newId());
    return send(reply, response);
  }
}

/** There is no session. An earlier client says once what it can, and repeats this with each request. */
const sessionHeader = 'mcp-session-id';
const formsSession = 'shows-forms-';

/** The introduction of an earlier client that shows forms to a person. */
function introducesForms(body: unknown): boolean {
  return isInitializeRequest(body) && declaresForms(body.params.capabilities);
}

/** No Accept at all, or one that says so. */
function readsStreams(accept = '*/*'): boolean {
  return accept.includes('text/event-stream') || accept.includes('*/*') || accept.includes('text/*');
}

/** One key for several calls would make the second a repetition of the first. */
function refuseSharedKey(body: unknown): void {
  if (!Array.isArray(body) || body.length < 2) return;
  throw new AppError(
    'invalid_idempotency_key',
    'Idempotency-Key is for one message; in a batch each call has a key of its own in its _meta.',
  );
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}

function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status);
  response.headers.forEach((value, name) => {
    if (name !== 'connection') reply.header(name, value);
  });
  if (response.body === null) return reply.send();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  return reply.send(isStream ? Readable.fromWeb(response.body as ReadableStream) : await response.text());
}
