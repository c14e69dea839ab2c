import { oauthCallback } from '@aos/contracts';
import type { OperationAnswer } from '@aos/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer } from './send-answer.js';

/** An answer for a person's browser: it is sent on, or shown how it went. A refusal is a page for a client that accepts HTML. */
export function sendPage(
  answer: OperationAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // The address that led here held a code; no other site is told of it.
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
  if (answer.status === oauthCallback.status) {
    const { location, title, message } = oauthCallback.response.parse(JSON.parse(answer.body));
    return location === null ? sendHtml(reply, 200, title, message) : reply.redirect(location, 302);
  }
  if (!request.headers.accept?.includes('text/html')) return sendAnswer(reply, answer);
  const { message } = JSON.parse(answer.body) as { message: string };
  return sendHtml(reply, answer.status, 'This did not work', message);
}

function sendHtml(reply: FastifyReply, status: number, title: string, message: string): FastifyReply {
  reply.header(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  );
  return reply.code(status).header('content-type', 'text/html; charset=utf-8').send(page(title, message));
}

function page(title: string, message: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<body style="font: 16px/1.5 system-ui; max-width: 32rem; margin: 20vh auto; padding: 0 1rem">
<h1 style="font-size: 1.4rem">${escape(title)}</h1>
<p>${escape(message)}</p>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
