import type { FastifyReply } from 'fastify';

/** Adds a request header to those on which the answer depends. */
export function addVary(reply: FastifyReply, header: string): void {
  const known = reply.getHeader('vary');
  reply.header('vary', known === undefined ? header : `${String(known)}, ${header}`);
}
