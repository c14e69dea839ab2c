import type { Principal } from '@aos/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { Authenticator } from './authenticator.js';
import { bearerToken } from './bearer-token.js';
import { FailedAuthentications } from './failed-authentications.js';
import { refuseOtherPages } from './own-pages.js';

/** Tells who makes a request: by its bearer credential, or without one by the session of a browser. */
@Injectable()
export class RequestCredentials {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly failures: FailedAuthentications,
    @Inject(GatewaySettings) private readonly config: Pick<GatewayConfig, 'PUBLIC_BASE_URL'>,
  ) {}

  /** Undefined for a request without a credential, or with one that does not hold. */
  async principalOf(
    request: FastifyRequest,
    { takesSessions }: { takesSessions: boolean },
  ): Promise<Principal | undefined> {
    const { authorization } = request.headers;
    if (authorization === undefined) return takesSessions ? this.ofSession(request) : undefined;
    const token = bearerToken(authorization);
    if (token !== undefined) {
      return this.failures.guard(request.ip, token, () => this.authenticator.authenticate(token));
    }
    await this.failures.record(request.ip);
    return undefined;
  }

  private async ofSession(request: FastifyRequest): Promise<Principal | undefined> {
    const token = this.authenticator.sessionIn(request.headers);
    if (token === undefined) return undefined;
    refuseOtherPages(request, this.config.PUBLIC_BASE_URL);
    return this.failures.guard(request.ip, token, () => this.authenticator.authenticateSession(token));
  }
}
