import type { OperationAnswer } from '@aos/contracts';
import type { FastifyReply } from 'fastify';
import { htmlOf, pagePolicy, type Page } from './page.js';

/** The address that led to a page may hold a secret: no other site is told of it. */
export const pageHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': pagePolicy,
  'content-type': 'text/html; charset=utf-8',
} as const;

/** A page of the service's own for a person. */
export function sendHtml(reply: FastifyReply, status: number, page: Page): FastifyReply {
  return reply.code(status).headers(pageHeaders).send(htmlOf(page));
}

/** A refusal for a person to read. */
export function sendRefusal(answer: OperationAnswer, reply: FastifyReply): FastifyReply {
  const { message } = JSON.parse(answer.body) as { message: string };
  return sendHtml(reply, answer.status, { title: 'This did not work', paragraphs: [message] });
}
