import type { Shutdown } from '@aos/platform';
import type { FastifyInstance } from 'fastify';

/**
 * Closes the server when the process shuts down. Node ends the connections that are idle at that moment; one whose
 * answer is still under way would then be kept alive for its next request, which never comes.
 */
export function closeWithShutdown(server: FastifyInstance, shutdown: Shutdown): void {
  let closing = false;
  server.addHook('onResponse', (request, _reply, done) => {
    if (closing) request.raw.socket.destroySoon();
    done();
  });
  shutdown.add('stop-intake', 'http', () => {
    closing = true;
    return server.close();
  });
}
