import { AppError } from '@aos/contracts';
import type { FastifyInstance } from 'fastify';
import type { KnownPaths } from './known-paths.js';
import { pathOf } from './public-path.js';

/**
 * Answers requests that no route takes: OPTIONS and methods that a path does not have, else an unknown path. No credential
 * is looked at and no body is read, so an answer says only what the published document says.
 */
export function answerOtherMethods(server: FastifyInstance, paths: KnownPaths): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const methods = paths.methodsOf(pathOf(request.url));
    if (methods.length === 0) throw new AppError('not_found', 'The path does not exist.');
    const allowed = methods.join(', ');
    reply.header('allow', allowed);
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new AppError(
      'method_not_allowed',
      `${request.method} is not allowed on this path. Allowed: ${allowed}.`,
    );
  });
}
