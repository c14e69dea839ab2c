import { setTimeout as delay } from 'node:timers/promises';
import type { Shutdown } from '@aos/platform';
import type { FastifyInstance } from 'fastify';

/**
 * Closes the server when the process shuts down. It is not ready from that moment on, but goes on to take requests for a
 * while: a balancer that has not asked again yet still sends some. Each answer ends its connection meanwhile, so that the
 * next request of its client comes elsewhere. Then Node ends the connections that are idle; one whose answer is still
 * under way would be kept alive for its next request, which never comes.
 */
export function closeWithShutdown(server: FastifyInstance, shutdown: Shutdown, delayMs: number): void {
  let closing = false;
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
  server.addHook('onResponse', (request, _reply, done) => {
    if (closing) request.raw.socket.destroySoon();
    done();
  });
  shutdown.add('stop-intake', 'http', async () => {
    closing = true;
    await delay(delayMs);
    await server.close();
  });
}
