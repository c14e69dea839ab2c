import { Inject, Injectable } from '@nestjs/common';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { RateLimits } from './rate-limits.js';

/** Slows down whoever guesses credentials, by client address. */
@Injectable()
export class FailedAuthentications {
  constructor(
    @Inject(RateLimits) private readonly limits: RateLimits,
    @Inject(GatewaySettings) private readonly config: Pick<GatewayConfig, 'AUTH_FAILURES_PER_MINUTE'>,
  ) {}

  /** Counts a failure; seconds to wait if the address has had too many. */
  async record(address: string): Promise<number | undefined> {
    const state = await this.limits.count(`address:${address}`, this.config.AUTH_FAILURES_PER_MINUTE);
    return state.allowed ? undefined : state.resetSeconds;
  }
}
