import { AppError } from '@aos/contracts';
import { checkUrl, EgressGuard, type GuardOptions, type UrlCheck } from '@aos/egress';

/** Judges the addresses that runs are started with. */
export class CallbackAddresses {
  private readonly guard: EgressGuard;

  constructor(private readonly options: GuardOptions) {
    this.guard = new EgressGuard(options);
  }

  /** The address in the spelling that was judged; refused unless it is one of the outside. */
  async accept(text: string): Promise<string> {
    const verdict = await this.judge(text);
    if (!verdict.ok) throw new AppError('invalid_webhook_url', `webhook_url: ${verdict.reason}`);
    return verdict.url.href;
  }

  /** The plain spelling has the rules to pass too: encoded, a URL can be too long for whoever delivers. */
  private async judge(text: string): Promise<UrlCheck> {
    const given = checkUrl(text, this.options);
    return given.ok ? this.guard.check(given.url.href) : given;
  }
}
