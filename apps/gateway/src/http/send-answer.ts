import type { OperationAnswer } from '@aos/contracts';
import type { FastifyReply } from 'fastify';

/** The answer of an operation's owner, as it is. */
export function sendAnswer(reply: FastifyReply, answer: OperationAnswer): FastifyReply {
  if (answer.replayed) reply.header('idempotency-replayed', 'true');
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', answer.retryAfterSeconds);
  reply.code(answer.status);
  if (answer.body === '') return reply.send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.body);
}
