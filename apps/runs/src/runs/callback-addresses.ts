import { AppError } from '@aos/contracts';
import { EgressGuard, type GuardOptions } from '@aos/egress';

/** Judges the addresses that runs are started with. */
export class CallbackAddresses {
  private readonly guard: EgressGuard;

  constructor(options: GuardOptions) {
    this.guard = new EgressGuard(options);
  }

  /** The address in the spelling that was judged; refused unless it is one of the outside. */
  async accept(text: string, field: string): Promise<string> {
    const verdict = await this.guard.check(text);
    if (!verdict.ok) throw new AppError('invalid_webhook_url', `${field}: ${verdict.reason}`);
    return verdict.url.href;
  }
}
