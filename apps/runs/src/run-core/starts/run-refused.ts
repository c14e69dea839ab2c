import type { RunError } from '@aos/contracts';

/** A run that cannot be begun, with the reason that it is to show. */
export class RunRefused extends Error {
  override readonly name = 'RunRefused';

  constructor(readonly reason: RunError) {
    super(reason.message);
  }
}
