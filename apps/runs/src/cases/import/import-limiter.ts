import { FairLimiter } from '@aos/background';
import { AppError } from '@aos/contracts';
import { Injectable } from '@nestjs/common';

/** An import in progress holds some megabytes of rows, a request and, at times, a connection to Postgres. */
export const maxConcurrent = 8;
/** A waiting import holds a request only. */
const maxWaiting = 32;
/** The bytes are stored already, and the caller waits for minutes; most of that time is for the work. */
export const maxWaitMs = 60_000;
/** An import takes seconds; its end cannot be predicted. */
const retryAfterSeconds = 5;

/** Limits the imports of this process. Teams share its capacity, and the capacity to wait, fairly. */
@Injectable()
export class ImportLimiter {
  private readonly running = new FairLimiter({ maxConcurrent });
  private readonly waiting = new FairLimiter({ maxConcurrent: maxWaiting });

  /** Refuses a team that could not even wait, before the team sends its bytes. */
  assertCapacity(teamId: string): void {
    if (!this.running.canAcquire(teamId) && !this.waiting.canAcquire(teamId)) throw tooManyImports();
  }

  /** Does the work as soon as the team has capacity. */
  async run<T>(teamId: string, work: () => Promise<T>): Promise<T> {
    if (!this.running.tryAcquire(teamId)) await this.wait(teamId);
    try {
      return await work();
    } finally {
      this.running.release(teamId);
    }
  }

  private async wait(teamId: string): Promise<void> {
    if (!this.waiting.tryAcquire(teamId)) throw tooManyImports();
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(tooManyImports()), maxWaitMs);
    try {
      await this.running.acquire(teamId, timeout.signal);
    } finally {
      clearTimeout(timer);
      this.waiting.release(teamId);
    }
  }
}

function tooManyImports(): AppError {
  return new AppError('rate_limited', 'Too many imports are under way at once; try again in a moment.', {
    retryAfterSeconds,
  });
}
