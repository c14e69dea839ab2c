import { AppError } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { FairSlots } from '../../capacity/slots/fair-slots.js';

/** Each holds some megabytes of rows, a place among the requests in hand and, in turns, a connection to Postgres. */
export const importsAtOnce = 8;
/** Each holds a place among the requests in hand alone. */
const maxWaiting = 32;
/** The bytes are there already, and the caller waits for minutes; most of that is for the work. */
export const maxWaitMs = 60_000;
/** An import takes seconds; when one ends cannot be foretold. */
const askAgainSeconds = 5;

interface Waiting {
  readonly teamId: string;
  readonly begin: () => void;
}

/**
 * The imports that this process works on. Teams share its places: one that brings many leaves some for the others. Where
 * to wait for a place is shared in the same way.
 */
@Injectable()
export class ImportLimiter {
  private readonly slots = new FairSlots(importsAtOnce);
  private readonly waitingRoom = new FairSlots(maxWaiting);
  /** In the order of their coming. */
  private readonly waiting = new Set<Waiting>();

  /** Refuses a team that could not even wait now, before it sends its bytes. */
  assertFree(teamId: string): void {
    if (!hasPlace(this.slots, teamId) && !hasPlace(this.waitingRoom, teamId)) throw noPlace();
  }

  /** Does the work in a place of the team, once there is one. */
  async during<T>(teamId: string, work: () => Promise<T>): Promise<T> {
    if (!this.slots.tryTake(teamId)) await this.wait(teamId);
    try {
      return await work();
    } finally {
      this.slots.release(teamId);
      this.admit();
    }
  }

  private async wait(teamId: string): Promise<void> {
    if (!this.waitingRoom.tryTake(teamId)) throw noPlace();
    try {
      await new Promise<void>((resolve, reject) => {
        const waiting: Waiting = {
          teamId,
          begin: () => {
            clearTimeout(timer);
            resolve();
          },
        };
        const timer = setTimeout(() => {
          this.waiting.delete(waiting);
          reject(noPlace());
        }, maxWaitMs);
        this.waiting.add(waiting);
      });
    } finally {
      this.waitingRoom.release(teamId);
    }
  }

  /** First in, first out, except teams at their fair share. */
  private admit(): void {
    for (const one of this.waiting) {
      if (!this.slots.tryTake(one.teamId)) continue;
      this.waiting.delete(one);
      one.begin();
    }
  }
}

function hasPlace(slots: FairSlots, teamId: string): boolean {
  return slots.free > 0 && !slots.sated.includes(teamId);
}

function noPlace(): AppError {
  return new AppError('rate_limited', 'Too many imports are under way at once; try again in a moment.', {
    retryAfterSeconds: askAgainSeconds,
  });
}
