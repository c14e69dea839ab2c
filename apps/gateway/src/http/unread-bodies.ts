import type { FastifyInstance } from 'fastify';

/**
 * Drains the rest of a refused body. Node does so only for bodies of which nothing was read; otherwise the next request
 * on the connection waits behind the rest.
 */
export function dropUnreadBodies(server: FastifyInstance): void {
  server.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.readableEnded && !raw.destroyed) raw.unpipe().resume();
    done();
  });
}
