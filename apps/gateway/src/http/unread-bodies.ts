import type { FastifyInstance } from 'fastify';

/**
 * What is left of a body that was refused half-way is read and dropped. Node does so only for a body of which nothing was
 * read: else the next request on the connection would lie behind the rest, and wait until the connection is closed.
 */
export function dropUnreadBodies(server: FastifyInstance): void {
  server.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.readableEnded && !raw.destroyed) raw.unpipe().resume();
    done();
  });
}
