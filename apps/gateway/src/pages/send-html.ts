import type { OperationAnswer } from '@aos/messaging';
import type { FastifyReply } from 'fastify';
import { htmlOf, pagePolicy, type Page } from './page.js';

/** A page of the service's own for a person. The address that led to it may hold a secret: no other site is told of it. */
export function sendHtml(reply: FastifyReply, status: number, page: Page): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('content-security-policy', pagePolicy)
    .header('content-type', 'text/html; charset=utf-8')
    .send(htmlOf(page));
}

/** A refusal for a person to read. */
export function sendRefusal(answer: OperationAnswer, reply: FastifyReply): FastifyReply {
  const { message } = JSON.parse(answer.body) as { message: string };
  return sendHtml(reply, answer.status, { title: 'This did not work', paragraphs: [message] });
}
