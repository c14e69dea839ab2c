import { oauthCallback, type OperationAnswer } from '@aos/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer } from '../http/send-answer.js';
import { TeamsRepository } from '../identity/teams/teams.repository.js';
import type { Page } from './page.js';
import { pageHeaders, sendHtml, sendRefusal } from './send-html.js';

/**
 * Answers for a person's browser: it is sent on, shown how it went, or asked. A refusal is a page for a client that
 * accepts HTML.
 */
@Injectable()
export class BrowserPages {
  constructor(@Inject(TeamsRepository) private readonly teams: Pick<TeamsRepository, 'find'>) {}

  /** Says how an answer would be sent. A request for that may come from a program that looks at links: it ends nothing. */
  sendHead(reply: FastifyReply): FastifyReply {
    return reply.headers(pageHeaders).send();
  }

  async send(answer: OperationAnswer, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // The address that led here held a code; no other site is told of it.
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    if (answer.status === oauthCallback.status) {
      const { location, title, message, confirm } = oauthCallback.response.parse(JSON.parse(answer.body));
      if (confirm) return sendHtml(reply, 200, await this.question({ title, message, ...confirm }, request));
      return location === null
        ? sendHtml(reply, 200, { title, paragraphs: [message] })
        : reply.redirect(location, 302);
    }
    if (!request.headers.accept?.includes('text/html')) return sendAnswer(reply, answer);
    return sendRefusal(answer, reply);
  }

  /** Names the team; the button brings the same request again, with the answer. */
  private async question(
    asked: { title: string; message: string; team_id: string; token: string },
    request: FastifyRequest,
  ): Promise<Page> {
    const team = await this.teams.find(asked.team_id);
    const name = team ? `${JSON.stringify(team.name)} (${asked.team_id})` : asked.team_id;
    return {
      title: asked.title,
      paragraphs: [`This is for the team ${name}. ${asked.message}`, 'Else close this window.'],
      form: {
        fields: { ...textsOf(request.query as Record<string, unknown>), confirmed: asked.token },
        button: 'Connect',
      },
    };
  }
}

/** Repeated parameters are ignored. */
function textsOf(query: Record<string, unknown>): Record<string, string> {
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  return Object.fromEntries(Object.entries(query).filter(isText));
}
