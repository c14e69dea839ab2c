import {
  AppError,
  notFound,
  type Followed,
  type Operation,
  type OperationEnvelope,
  type Principal,
} from '@aos/contracts';
import { FileLinks } from '@aos/file-store';
import { runWithContext, ServiceIdentity } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authorize } from '../operations/authorize.js';
import { FailedAuthentications } from '../auth/failed-authentications.js';
import { linkPrincipal, anonymousAt } from '../auth/link-principal.js';
import { RequestCredentials } from '../auth/request-credentials.js';
import { RequestLimits } from '../auth/request-limits.js';
import { OperationCalls } from '../operations/operation-calls.js';
import { CaseRows } from '../files/case-rows.js';
import { FileAnswers } from '../files/file-answers.js';
import { ReceivedFiles } from '../files/received-files.js';
import { ReceivedRows } from '../files/received-rows.js';
import { TeamEventStreams } from '../streams/teams/team-event-streams.js';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { BrowserPages } from '../pages/browser-pages.js';
import { ConfinedDocuments } from '../pages/confined-documents.js';
import { RunEventStreams } from '../streams/runs/run-event-streams.js';
import { McpEndpoint } from '../mcp/mcp-endpoint.js';
import { maxBatch } from '../mcp/mcp-exchanges.js';
import { RunWaits, waitSeconds } from '../streams/runs/run-waits.js';
import { idempotencyKey } from '../operations/idempotency-key.js';
import { tellIgnored } from '../operations/ignored-fields.js';
import { routeParams, routePattern } from './route-pattern.js';
import { sendAnswer } from '../http/send-answer.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the credential has been accepted. */
    principal?: Principal;
  }

  interface FastifyContextConfig {
    /** Whether it answers documents, which may have a host of their own. */
    showsDocument?: boolean;
  }
}

/** One route for each declared operation. The order of checks is the contract's: 401, 429, 403, then the body. */
@Injectable()
export class OperationRoutes {
  private readonly documents: ConfinedDocuments;
  private readonly waits: Readonly<Record<'run', RunWaits>>;
  private readonly streams: Readonly<Record<Followed, RunEventStreams | TeamEventStreams>>;

  constructor(
    private readonly identity: ServiceIdentity,
    private readonly credentials: RequestCredentials,
    private readonly failures: FailedAuthentications,
    private readonly limits: RequestLimits,
    private readonly calls: OperationCalls,
    private readonly mcp: McpEndpoint,
    runWaits: RunWaits,
    runStreams: RunEventStreams,
    teamStreams: TeamEventStreams,
    private readonly receivedFiles: ReceivedFiles,
    private readonly receivedRows: ReceivedRows,
    private readonly caseRows: CaseRows,
    private readonly fileAnswers: FileAnswers,
    private readonly pages: BrowserPages,
    private readonly links: FileLinks,
    @Inject(GatewaySettings) private readonly config: GatewayConfig,
  ) {
    this.documents = new ConfinedDocuments(config);
    this.waits = { run: runWaits };
    this.streams = { run: runStreams, team: teamStreams };
  }

  register(server: FastifyInstance): void {
    server.decorateRequest('principal', undefined);
    server.addHook('onRequest', async (request) => this.documents.refuseElse(request));
    const { operations } = this.identity.table;
    this.registerAll(
      server,
      operations.filter(({ takes }) => takes === 'json'),
    );
    void server.register(async (scope) => {
      // The bytes of a file are taken from the request itself.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
      this.registerAll(
        scope,
        operations.filter(({ takes }) => takes !== 'json'),
      );
    });
  }

  private registerAll(server: FastifyInstance, operations: readonly Operation[]): void {
    for (const operation of operations) {
      server.route({
        method: operation.method,
        url: routePattern(operation.path),
        config: { operation: operation.operationId, showsDocument: operation.kind === 'document' },
        onRequest: (request, reply) => this.admit(operation, request, reply),
        handler: (request, reply) => this.handle(operation, request, reply),
      });
    }
  }

  private async admit(operation: Operation, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (operation.kind === 'rpc') this.mcp.admit(request);
    if (operation.access === 'link') {
      request.principal = await this.authenticateLink(operation, request);
      await this.limits.count(request.principal, reply);
      return;
    }
    if (operation.access === 'open') {
      request.principal = anonymousAt(request.ip, operation);
      await this.limits.count(request.principal, reply);
      return;
    }
    const principal = await this.authenticate(operation, request, reply);
    request.principal = principal;
    await this.limits.count(principal, reply);
    authorize(operation, principal, (request.params as Record<string, string>)['teamId']);
  }

  /** An address is as good as a credential; who guesses at them is stopped like who guesses at keys. */
  private async authenticateLink(operation: Operation, request: FastifyRequest): Promise<Principal> {
    const { token } = request.params as { token?: string };
    const principal = linkPrincipal(operation, token, this.links);
    if (principal) return principal;
    await this.failures.record(request.ip);
    throw notFound('The address');
  }

  private async authenticate(
    operation: Operation,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Principal> {
    const { authorization } = request.headers;
    // MCP is for programs.
    const takesSessions = operation.kind !== 'rpc';
    const principal = await this.credentials.principalOf(request, { takesSessions });
    if (principal) return principal;
    const metadata = `resource_metadata="${metadataAddress(this.config.PUBLIC_BASE_URL, operation)}"`;
    const challenge = authorization === undefined ? metadata : `error="invalid_token", ${metadata}`;
    reply.header('www-authenticate', `Bearer ${challenge}`);
    throw new AppError('invalid_token', 'The bearer credential is missing, unknown, expired or revoked.');
  }

  private async handle(
    operation: Operation,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const head = {
      principal: request.principal!,
      idempotencyKey: idempotencyKey(operation, request.headers['idempotency-key']),
      params: routeParams(request.params as Record<string, string>),
      query: request.query as Record<string, unknown>,
    };
    tellIgnored(operation, request, reply);
    const context = { ...request.exchange!.context, teamId: head.principal.teamId ?? undefined };
    return runWithContext(context, async () => {
      if (operation.takes === 'json') {
        return this.answer(operation, { ...head, body: request.body }, request, reply);
      }
      const receiver = operation.takes === 'rows' ? this.receivedRows : this.receivedFiles;
      const answer = await receiver.receive(operation, request, head.principal, (received) =>
        this.calls.dispatch(operation, { ...head, ...received }),
      );
      return sendAnswer(reply, answer);
    });
  }

  private async answer(
    operation: Operation,
    envelope: OperationEnvelope,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { kind, streams, waitsFor, headFrom } = operation;
    if (request.method === 'HEAD' && kind === 'page') return this.pages.sendHead(reply);
    if (request.method === 'HEAD' && headFrom) {
      const answer = await this.calls.dispatch(headFrom.operation, envelope);
      return this.fileAnswers.sendHead(answer, headFrom.contentType, reply);
    }
    if (streams) return this.streams[streams.of].serve(envelope, request, reply);
    if (kind === 'rpc') {
      // Each message of a batch is a request; one was counted before the body was read.
      const others = Array.isArray(envelope.body) ? Math.min(envelope.body.length, maxBatch) - 1 : 0;
      if (others > 0) await this.limits.count(envelope.principal, reply, others);
      return this.mcp.serve(envelope, request, reply);
    }
    const dispatch = () => this.calls.dispatch(operation, envelope);
    if (waitsFor) {
      const wait = { reply, waitMs: waitSeconds(envelope.body) * 1000 };
      return sendAnswer(reply, await this.waits[waitsFor].start(envelope, wait, dispatch));
    }
    if (kind === 'rows') return this.caseRows.serve(envelope, reply, dispatch);
    const answer = await dispatch();
    if (operation.disclosesSecret) reply.header('cache-control', 'no-store');
    if (kind === 'binary') return this.fileAnswers.send(answer, request, reply);
    if (kind === 'page') return this.pages.send(answer, request, reply);
    if (kind === 'document') return this.documents.send(answer, request, reply);
    return sendAnswer(reply, answer);
  }
}

/** The protected-resource metadata for clients without a credential; each protocol is a resource of its own. */
function metadataAddress(base: string, { kind, path }: Operation): string {
  return `${base}/.well-known/oauth-protected-resource${kind === 'rpc' ? path : ''}`;
}
