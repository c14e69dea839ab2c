import { AppError } from '@aos/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuseOtherPages } from '../auth/own-pages.js';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { BrowserSessions } from './browser-sessions.js';

/** Signing in and out. They are no operations of the interface: a session is for the pages of this service alone. */
@Injectable()
export class SessionRoutes {
  constructor(
    private readonly sessions: BrowserSessions,
    @Inject(GatewaySettings) private readonly config: Pick<GatewayConfig, 'PUBLIC_BASE_URL'>,
  ) {}

  register(server: FastifyInstance): void {
    void server.register(async (scope) => {
      scope.addHook('onRequest', async (request) => refuseOtherPages(request, this.config.PUBLIC_BASE_URL));
      scope.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));
      scope.post('/auth/sign-in', async (request, reply) =>
        reply.code(201).send(await this.sessions.open(keyIn(request), request, reply)),
      );
      scope.get('/auth/session', async (request, reply) => {
        const session = await this.sessions.read(request, reply);
        return session ?? reply.code(204).send();
      });
      scope.post('/auth/sign-out', async (request, reply) => {
        await this.sessions.close(request, reply);
        return { success: true };
      });
    });
  }
}

function keyIn({ body }: FastifyRequest): string {
  const { api_key: key } = (body ?? {}) as { api_key?: unknown };
  if (typeof key !== 'string' || key === '')
    throw new AppError('invalid_request', 'api_key: must be a string');
  return key;
}
