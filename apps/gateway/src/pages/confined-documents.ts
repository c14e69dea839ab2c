import { artifactPagePolicy, artifactPageSchema, notFound, type OperationAnswer } from '@aos/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer } from '../http/send-answer.js';
import { sendRefusal } from './send-html.js';

const ok = 200;
/** Health paths, asked by load balancers under any host name. */
const operatorRoutes = ['/healthz', '/readyz'];

/** Origins of documents, and pages that may frame them. */
export interface DocumentSettings {
  readonly ARTIFACTS_ORIGIN?: string | undefined;
  readonly ARTIFACTS_FRAME_ANCESTORS: readonly string[];
}

/**
 * Sends documents that teams have had made. Whatever they hold, a browser shows it and does nothing else: no script, no
 * request, no form, no window, an origin of its own; and no other page looks into them. Nobody keeps a copy, so that what
 * was taken back is gone.
 */
export class ConfinedDocuments {
  private readonly host: string | undefined;
  private readonly headers: Readonly<Record<string, string>>;

  constructor({ ARTIFACTS_ORIGIN: origin, ARTIFACTS_FRAME_ANCESTORS: ancestors }: DocumentSettings) {
    this.host = origin === undefined ? undefined : new URL(origin).host;
    const frames = ancestors.length === 0 ? "'none'" : ancestors.join(' ');
    this.headers = {
      'content-security-policy': `${artifactPagePolicy}; frame-ancestors ${frames}; sandbox`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'x-dns-prefetch-control': 'off',
      'x-robots-tag': 'noindex',
      'permissions-policy': 'browsing-topics=(), interest-cohort=()',
      'cache-control': 'no-store',
    };
  }

  /** Under the host of documents there is nothing else: no page of theirs may share an origin with a credential. */
  refuseElse(request: FastifyRequest): void {
    const { config, url } = request.routeOptions;
    if (!this.isTheirs(request) || config.showsDocument || operatorRoutes.includes(url ?? '')) return;
    throw notFound('The route');
  }

  send(answer: OperationAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (answer.status !== ok) {
      const isRead = request.headers.accept?.includes('text/html') ?? false;
      return isRead ? sendRefusal(answer, reply) : sendAnswer(reply, answer);
    }
    const { title, html, disposition } = artifactPageSchema.parse(JSON.parse(answer.body));
    // Downloads are not rendered, so any origin may have them.
    if (disposition === 'inline' && this.host !== undefined && !this.isTheirs(request)) {
      throw notFound('The page');
    }
    const name = encodeURIComponent(`${title}.html`).replaceAll("'", '%27');
    const kind = disposition === 'inline' ? disposition : `${disposition}; filename*=UTF-8''${name}`;
    return reply
      .headers({ ...this.headers, 'content-disposition': kind })
      .header('content-type', 'text/html; charset=utf-8')
      .send(html);
  }

  private isTheirs({ host }: FastifyRequest): boolean {
    return this.host !== undefined && host.toLowerCase() === this.host;
  }
}
