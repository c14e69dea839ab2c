import { AppError } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { FairSlots } from '../slots/fair-slots.js';

/** Each holds some megabytes of rows, a place among the requests in hand and, in turns, a connection to Postgres. */
export const importsAtOnce = 8;
/** An import takes seconds; when one ends cannot be foretold. */
const askAgainSeconds = 5;

/** The imports that this process works on. Teams share its places: one that brings many leaves some for the others. */
@Injectable()
export class ImportPlaces {
  private readonly slots = new FairSlots(importsAtOnce);

  /** Refuses a team that would find no place now, before it sends its bytes. */
  assertFree(teamId: string): void {
    if (this.slots.free === 0 || this.slots.sated.includes(teamId)) throw noPlace();
  }

  /** Does the work in a place of the team, or refuses it. */
  async during<T>(teamId: string, work: () => Promise<T>): Promise<T> {
    if (!this.slots.tryTake(teamId)) throw noPlace();
    try {
      return await work();
    } finally {
      this.slots.release(teamId);
    }
  }
}

function noPlace(): AppError {
  return new AppError('rate_limited', 'Too many imports are under way at once; try again in a moment.', {
    retryAfterSeconds: askAgainSeconds,
  });
}
