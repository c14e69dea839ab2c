import { Injectable } from '@nestjs/common';
import type { HeldLane } from './lanes.repository.js';

/** The work of this process on one lane. */
export interface Drain {
  readonly lane: HeldLane;
  /** Something was added or changed. */
  wake(): void;
  /** The lane is in other hands. */
  abort(): void;
}

/** The lanes that this process works on. */
@Injectable()
export class DrainsHere {
  private readonly drains = new Map<string, Drain>();

  /** False if the lane is not worked on here. */
  wake(laneId: string): boolean {
    const drain = this.drains.get(laneId);
    drain?.wake();
    return drain !== undefined;
  }

  add(laneId: string, drain: Drain): void {
    this.drains.set(laneId, drain);
  }

  remove(laneId: string): void {
    this.drains.delete(laneId);
  }

  all(): Drain[] {
    return [...this.drains.values()];
  }
}
