import { AppError } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../auth/authenticator.js';
import { bearerToken } from '../auth/bearer-token.js';
import { FailedAuthentications } from '../auth/failed-authentications.js';
import { BrowserSessions, type SessionView } from './browser-sessions.js';
import { isFromThisMachine } from './from-this-machine.js';
import { codeSeconds, SignInCodes } from './sign-in-codes.js';

/**
 * The link that `npm start` prints. They are no operations of the interface: what signs somebody in must not be a tool of
 * MCP clients, and both are only for a person at this machine.
 */
@Injectable()
export class SignInRoutes {
  constructor(
    private readonly codes: SignInCodes,
    private readonly authenticator: Authenticator,
    private readonly failures: FailedAuthentications,
    private readonly sessions: BrowserSessions,
  ) {}

  register(server: FastifyInstance): void {
    void server.register(async (scope) => {
      scope.addHook('onRequest', async (request) => refuseOthers(request));
      scope.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));
      scope.post('/console/sign-in-codes', async (request, reply) =>
        reply.code(201).send({ code: await this.make(request), expires_in_seconds: codeSeconds }),
      );
      scope.post('/console/sign-in', async (request, reply) =>
        reply.code(201).send(await this.exchange(request, reply)),
      );
    });
  }

  /** A key creates codes for itself only. */
  private async make({ headers, ip }: FastifyRequest): Promise<string> {
    const token = bearerToken(headers.authorization);
    if (token === undefined) throw new AppError('invalid_token', 'The Authorization header is missing.');
    const principal = await this.failures.guard(ip, token, () => this.authenticator.authenticate(token));
    if (!principal) throw new AppError('invalid_token', 'The credential is unknown, expired or revoked.');
    if (principal.kind !== 'api_key') throw new AppError('forbidden', 'Only an API key has sign-in links.');
    return this.codes.make(token);
  }

  private async exchange(request: FastifyRequest, reply: FastifyReply): Promise<SessionView> {
    const { code } = (request.body ?? {}) as { code?: unknown };
    if (typeof code !== 'string') throw new AppError('invalid_request', 'code: must be a string');
    const key = await this.codes.take(code);
    if (key !== undefined && (await this.authenticator.authenticate(key))) {
      return this.sessions.open(key, request, reply);
    }
    await this.failures.record(request.ip);
    throw new AppError('invalid_token', 'This link was already used or has expired.');
  }
}

async function refuseOthers({ socket, headers }: FastifyRequest): Promise<void> {
  if (isFromThisMachine({ remoteAddress: socket.remoteAddress, headers })) return;
  throw new AppError('forbidden', 'Sign-in links work only on the machine on which the service runs.');
}
