import { FairLimiter } from '@aos/background';
import { AppError } from '@aos/contracts';

/** Limits of one gateway; a process of the run service runs fewer imports of a team. */
const maxPerTeam = 8;
const maxConcurrent = 64;
const retry = { retryAfterSeconds: 5 };

/** Limits the imports in progress at this gateway, each of which holds a connection and some of its bytes. */
export class UploadLimiter {
  private readonly limiter = new FairLimiter({ maxConcurrent, maxPerKey: maxPerTeam, shareFactor: Infinity });

  /** To be called before the bytes of an import are read; returns the function that releases its capacity. */
  acquire(teamId: string): () => void {
    if (this.limiter.heldBy(teamId) >= maxPerTeam) {
      throw new AppError('rate_limited', `The team has ${maxPerTeam} imports under way at once.`, retry);
    }
    if (!this.limiter.tryAcquire(teamId)) {
      throw new AppError('unavailable', 'Too many imports are under way at once.', retry);
    }
    return () => this.limiter.release(teamId);
  }
}
