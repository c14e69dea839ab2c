import { Injectable } from '@nestjs/common';
import type { LaneDrain } from './lane-drain.js';

/** The lanes that this process works on. */
@Injectable()
export class DrainsHere {
  private readonly drains = new Map<string, LaneDrain>();

  /** False if the lane is not worked on here. */
  wake(laneId: string): boolean {
    const drain = this.drains.get(laneId);
    drain?.wake();
    return drain !== undefined;
  }

  add(laneId: string, drain: LaneDrain): void {
    this.drains.set(laneId, drain);
  }

  remove(laneId: string): void {
    this.drains.delete(laneId);
  }

  all(): LaneDrain[] {
    return [...this.drains.values()];
  }
}
