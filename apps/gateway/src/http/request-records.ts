import {
  Logger,
  Metrics,
  noteActivity,
  parseTraceparent,
  Tracing,
  type Histogram,
  type OpenSpan,
} from '@aos/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its span, and the context in which it is worked on. */
    exchange?: OpenSpan;
  }

  interface FastifyContextConfig {
    /** The operation that the route answers. */
    operation?: string;
    /** Asked so often by machines that it is not worth a line. */
    isProbe?: boolean;
  }
}

const serverFault = 500;
/** The status that proxies log when the client disconnects. */
const clientGone = 499;

/**
 * Records every request: a log line, a span and its duration. Names only the route, since paths and headers can hold
 * secrets.
 */
@Injectable()
export class RequestRecords {
  private readonly durations: Histogram<'operation' | 'method' | 'status'>;

  constructor(
    private readonly tracing: Tracing,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.durations = metrics.histogram({
      name: 'aos_http_request_duration_seconds',
      help: 'Time from a request to the end of its answer, by operation',
      labelNames: ['operation', 'method', 'status'],
    });
  }

  register(server: FastifyInstance): void {
    server.decorateRequest('exchange', undefined);
    server.addHook('onRequest', async (request, reply) => {
      if (configOf(request).isProbe) return;
      const exchange = this.begin(request);
      request.exchange = exchange;
      let isSent = false;
      reply.raw.once('finish', () => (isSent = true));
      // Comes once, also where the client has gone: Fastify's own hook waits for an answer that was sent.
      reply.raw.once('close', () => this.end(exchange, request, reply, isSent));
    });
  }

  private begin(request: FastifyRequest): OpenSpan {
    noteActivity();
    const { operation } = configOf(request);
    const { traceparent } = request.headers;
    const incoming = {
      requestId: request.id,
      traceparent: parseTraceparent(traceparent) && String(traceparent),
      operationId: operation,
    };
    const route = routeOf(request);
    return this.tracing.open(incoming, {
      name: `${request.method} ${route}`,
      kind: 'server',
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'aos.operation': operation,
        'aos.request.id': request.id,
      },
    });
  }

  private end(exchange: OpenSpan, request: FastifyRequest, reply: FastifyReply, isSent: boolean): void {
    const { operation = 'none' } = configOf(request);
    const { method, principal } = request;
    const status = isSent ? reply.statusCode : clientGone;
    const ms = reply.elapsedTime;
    this.durations.observe({ operation, method: known(method), status: String(status) }, ms / 1_000);
    const teamId = principal?.teamId ?? undefined;
    exchange.set({ 'http.response.status_code': status, 'aos.team.id': teamId });
    if (status >= serverFault) exchange.fail(String(status));
    if (!isSent) exchange.fail('client_gone');
    exchange.end();
    const { traceparent } = exchange.context;
    this.logger.info(
      {
        method,
        route: routeOf(request),
        operation,
        status,
        ms: Math.round(ms * 10) / 10,
        team_id: teamId,
        request_id: request.id,
        trace_id: traceparent.slice(3, 35),
      },
      'request',
    );
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A client may name any method; a label has few values. */
function known(method: string): string {
  return methods.includes(method) ? method : 'other';
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none';
}

function configOf(request: FastifyRequest): { operation?: string; isProbe?: boolean } {
  return request.routeOptions.config ?? {};
}
