import { AppError, type Principal } from '@aos/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { RateLimits, type RateLimitState } from './rate-limits.js';
import { TeamPlans } from './team-plans.js';

interface Window {
  readonly key: string;
  readonly limit: number;
}

/**
 * Limits the requests of a minute. The plan of a team says how many each of its credentials may make, and all of them
 * together: more credentials give no more requests. Where it says nothing, the installation limits each credential.
 */
@Injectable()
export class RequestLimits {
  constructor(
    private readonly limits: RateLimits,
    private readonly plans: TeamPlans,
    @Inject(GatewaySettings) private readonly config: Pick<GatewayConfig, 'RATE_LIMIT_PER_MINUTE'>,
  ) {}

  /** Counts requests, tells of the window that has fewest left, and refuses what is too much. */
  async count(principal: Principal, reply: FastifyReply, requests = 1): Promise<void> {
    const windows = await this.windowsOf(principal);
    if (windows.length === 0) return;
    const states = await Promise.all(
      windows.flatMap(({ key, limit }) =>
        Array.from({ length: requests }, () => this.limits.count(key, limit)),
      ),
    );
    const state = states.reduce((tightest, one) => (isTighter(one, tightest) ? one : tightest));
    reply.header('ratelimit-limit', state.limit);
    reply.header('ratelimit-remaining', state.remaining);
    reply.header('ratelimit-reset', state.resetSeconds);
    if (!state.allowed) {
      const options = { retryAfterSeconds: state.resetSeconds };
      throw new AppError('rate_limited', `More than ${state.limit} requests in a minute.`, options);
    }
  }

  /** None for an installation without a limit, whatever the plan. */
  private async windowsOf({ credentialId, teamId }: Principal): Promise<Window[]> {
    const { RATE_LIMIT_PER_MINUTE: ofInstallation } = this.config;
    if (ofInstallation === 0) return [];
    const key = `credential:${credentialId}`;
    if (teamId === null) return [{ key, limit: ofInstallation }];
    const { rate_limit_per_minute: ofPlan } = (await this.plans.of(teamId)).limits;
    if (ofPlan === null) return [{ key, limit: ofInstallation }];
    return [
      { key, limit: ofPlan },
      { key: `team:${teamId}`, limit: ofPlan },
    ];
  }
}

function isTighter(one: RateLimitState, other: RateLimitState): boolean {
  return one.allowed === other.allowed ? one.remaining < other.remaining : !one.allowed;
}
