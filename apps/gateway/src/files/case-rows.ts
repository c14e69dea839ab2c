import { Readable } from 'node:stream';
import { continueCaseExport, exportCases } from '@aos/contracts';
import { ServiceClient, type OperationAnswer, type OperationEnvelope } from '@aos/messaging';
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

  send(answer: OperationAnswer, { principal, query }: OperationEnvelope, reply: FastifyReply): FastifyReply {
    const { teamId } = principal;
    if (answer.status !== exportCases.status || teamId === null) return sendAnswer(reply, answer);
    const { format } = exportCases.query.parse(query);
    const { authorization } = reply.request.headers;
    const body = this.texts(teamId, authorization, exportCases.response.parse(JSON.parse(answer.body)));
    this.requests.download(reply, this.requests.takePlace(principal));
    return reply
      .header('content-type', types[format])
      .header('content-disposition', `attachment; filename="cases.${format}"`)
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store')
      .send(Readable.from(body, { objectMode: false }));
  }

  /** Each page when the one before was taken; nothing more is read for a client that has left. */
  private async *texts(
    teamId: string,
    authorization: string | undefined,
    first: Page,
  ): AsyncGenerator<string> {
    try {
      for (let page = first; ;) {
        if (page.text !== '') yield page.text;
        if (page.next === null) return;
        if (!(await this.authenticator.stillHolds(authorization)))
          throw new Error('The credential was revoked');
        const request = { team_id: teamId, state: page.next };
        page = await this.services.call(continueCaseExport, request, { timeoutMs: exportCases.timeoutMs });
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'an export was broken off');
      // The connection is cut: the client must not take a part for the whole.
      throw error;
    }
  }
}
