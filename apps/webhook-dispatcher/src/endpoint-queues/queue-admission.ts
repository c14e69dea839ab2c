import { FairLimiter } from '@aos/background';

export interface TeamQueue {
  readonly id: string;
  readonly team_id: string;
}

/** Waiting queues per team; the sweep finds the others. */
const maxWaiting = 10_000;

/**
 * Admits the queues that this process works on. A team gets one more only while more capacity is free than the team holds:
 * a team alone has half, two that flood have a third each, and there is always some for a team that holds none.
 */
export class QueueAdmission {
  private readonly limiter: FairLimiter;
  private readonly waiting = new Set<string>();
  private readonly admitted: TeamQueue[] = [];

  constructor(maxConcurrent: number) {
    this.limiter = new FairLimiter({ maxConcurrent, shareFactor: 1 });
  }

  /** False if the queue has to wait; a later `release` returns it. */
  admit(queue: TeamQueue): boolean {
    if (this.limiter.tryAcquire(queue.team_id)) return true;
    if (!this.waiting.has(queue.id) && this.limiter.waitingOf(queue.team_id) < maxWaiting)
      this.enqueue(queue);
    return false;
  }

  counts(): { used: number; waiting: number } {
    return { used: this.limiter.maxConcurrent - this.limiter.free, waiting: this.waiting.size };
  }

  /** After the work on a queue of the team; returns the queues that are admitted instead. */
  release(teamId: string): TeamQueue[] {
    this.limiter.release(teamId);
    return this.admitted.splice(0);
  }

  private enqueue(queue: TeamQueue): void {
    this.waiting.add(queue.id);
    this.limiter.enqueue(queue.team_id, () => {
      this.waiting.delete(queue.id);
      this.admitted.push(queue);
    });
  }
}
