import { AppError, type Principal } from '@aos/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { RateLimits } from './rate-limits.js';
import { TeamPlans } from './team-plans.js';

interface Window {
  readonly key: string;
  readonly limit: number;
}

/**
 * Limits the requests of a minute. A limit of the plan holds for all credentials of the team together, so that more
 * credentials give no more requests. Without one, the limit of the installation holds for each credential.
 */
@Injectable()
export class RequestLimits {
  constructor(
    private readonly limits: RateLimits,
    private readonly plans: TeamPlans,
    @Inject(GatewaySettings) private readonly config: Pick<GatewayConfig, 'RATE_LIMIT_PER_MINUTE'>,
  ) {}

  /** Counts requests, sets the headers of their window, and refuses requests past its limit. */
  async count(principal: Principal, reply: FastifyReply, requests = 1): Promise<void> {
    const window = await this.windowOf(principal);
    if (!window) return;
    const { allowed, remaining, resetSeconds } = await this.limits.count(window.key, window.limit, requests);
    reply.header('ratelimit-limit', window.limit);
    reply.header('ratelimit-remaining', remaining);
    reply.header('ratelimit-reset', resetSeconds);
    if (!allowed) {
      const options = { retryAfterSeconds: resetSeconds };
      throw new AppError('rate_limited', `More than ${window.limit} requests in a minute.`, options);
    }
  }

  /** Returns no window for an installation without a limit, whatever the plan. */
  private async windowOf({ credentialId, teamId }: Principal): Promise<Window | undefined> {
    const { RATE_LIMIT_PER_MINUTE: ofInstallation } = this.config;
    if (ofInstallation === 0) return undefined;
    const ofPlan = teamId === null ? null : (await this.plans.of(teamId)).limits.rate_limit_per_minute;
    return ofPlan === null
      ? { key: `credential:${credentialId}`, limit: ofInstallation }
      : { key: `team:${teamId}`, limit: ofPlan };
  }
}
