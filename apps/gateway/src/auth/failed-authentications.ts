import { AppError } from '@aos/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { RateLimits } from './rate-limits.js';
import { RefusedAddresses } from './refused-addresses.js';
import { VerifiedCredentials } from './verified-credentials.js';

/**
 * Slows down clients that guess credentials, by client address. Many clients may share one behind a proxy: past the limit
 * those whose credential was good lately go on, and strangers are refused without a look-up.
 */
@Injectable()
export class FailedAuthentications {
  private readonly refused = new RefusedAddresses();

  constructor(
    private readonly limits: RateLimits,
    private readonly verified: VerifiedCredentials,
    @Inject(GatewaySettings) private readonly config: Pick<GatewayConfig, 'AUTH_FAILURES_PER_MINUTE'>,
  ) {}

  /** Returns the result of the lookup; counts a failure and refuses past the limit. */
  async guard<T>(
    address: string,
    credential: string,
    lookUp: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const waitSeconds = this.refused.waitOf(address);
    if (waitSeconds !== undefined && !(await this.verified.has(credential))) throw this.tooMany(waitSeconds);
    const found = await lookUp();
    if (found !== undefined) {
      this.verified.add(credential);
      return found;
    }
    if (waitSeconds !== undefined) this.verified.remove(credential);
    await this.record(address);
    return undefined;
  }

  /** Counts a failure; throws if the address has had too many. */
  async record(address: string): Promise<void> {
    const known = this.refused.waitOf(address);
    if (known !== undefined) throw this.tooMany(known);
    const state = await this.limits.count(`address:${address}`, this.config.AUTH_FAILURES_PER_MINUTE);
    if (state.allowed) return;
    this.refused.add(address, state.resetSeconds);
    throw this.tooMany(state.resetSeconds);
  }

  private tooMany(retryAfterSeconds: number): AppError {
    return new AppError('rate_limited', 'Too many failed authentications from this address.', {
      retryAfterSeconds,
      rateLimit: this.config.AUTH_FAILURES_PER_MINUTE,
    });
  }
}
