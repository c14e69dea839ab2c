import { Readable } from 'node:stream';
import {
  AppError,
  continueCaseExport,
  exportCases,
  type OperationAnswer,
  type OperationEnvelope,
} from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Authenticator } from '../auth/authenticator.js';
import { sendAnswer } from '../http/send-answer.js';
import { OpenRequests } from '../streams/open-requests.js';

const types = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const;

type Page = ReturnType<typeof exportCases.response.parse>;

/** exportCases: the owner answers pages, the client reads one text. No more than one page is held. */
@Injectable()
export class CaseRows {
  constructor(
    private readonly services: ServiceClient,
    private readonly authenticator: Authenticator,
    private readonly requests: OpenRequests,
    private readonly logger: Logger,
  ) {}

  async serve(
    { principal, query }: OperationEnvelope,
    reply: FastifyReply,
    dispatch: () => Promise<OperationAnswer>,
  ): Promise<FastifyReply> {
    const { teamId } = principal;
    this.requests.download(reply, this.requests.acquire(principal));
    const answer = await dispatch();
    if (answer.status !== exportCases.status || teamId === null) return sendAnswer(reply, answer);
    const { format } = exportCases.query.parse(query);
    const headers = {
      'content-type': types[format],
      'content-disposition': `attachment; filename="cases.${format}"`,
      'cache-control': 'no-store',
    };
    if (reply.request.method === 'HEAD') return reply.headers(headers).send();
    const texts = this.texts(teamId, reply, exportCases.response.parse(JSON.parse(answer.body)));
    // Errors of the owner before the first bytes are passed on.
    const first = await texts.next();
    return reply
      .headers(headers)
      .send(Readable.from(first.done ? [] : following(first.value, texts), { objectMode: false }));
  }

  /** Each page when the one before was taken; nothing more is read for a client that has left. */
  private async *texts(teamId: string, reply: FastifyReply, first: Page): AsyncGenerator<string, void> {
    const { headers } = reply.request;
    try {
      for (let page = first; ;) {
        if (page.text !== '') yield page.text;
        if (page.next === null) return;
        // Many pages may have no text, and a stream that was left ends only at its next text.
        if (reply.raw.destroyed) return;
        if (!(await this.authenticator.stillHolds(headers)))
          throw new AppError('invalid_token', 'The credential was revoked.');
        const request = { team_id: teamId, state: page.next };
        page = await this.services.call(continueCaseExport, request, { timeoutMs: exportCases.timeoutMs });
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'export aborted');
      // The connection is cut: the client must not take a part for the whole.
      throw error;
    }
  }
}

async function* following(first: string, rest: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  yield first;
  yield* rest;
}
