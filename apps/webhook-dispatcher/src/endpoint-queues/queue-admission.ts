export interface TeamQueue {
  readonly id: string;
  readonly team_id: string;
}

/** Waiting queues per team; the sweep finds the others. */
const maxWaiting = 10_000;

/**
 * The queues that a process works on at once, shared by all teams. A team gets another place only while more places are
 * free than it has: alone it has half of them, two that flood have a third each, and there is always a place for a
 * team that has none. What gets no place waits, and a place that is left goes to the team that has the fewest.
 */
export class QueueAdmission {
  private readonly taken = new Map<string, number>();
  private readonly waiting = new Map<string, Set<string>>();
  private total = 0;

  constructor(private readonly places: number) {}

  /** False if the queue has to wait; it is named by a `leave` later on. */
  enter({ id, team_id: teamId }: TeamQueue): boolean {
    if (!this.mayEnter(teamId)) {
      this.wait(teamId, id);
      return false;
    }
    this.take(teamId);
    return true;
  }

  /** How many places are taken, and how many queues wait for one. */
  counts(): { used: number; waiting: number } {
    let waiting = 0;
    for (const queues of this.waiting.values()) waiting += queues.size;
    return { used: this.total, waiting };
  }

  /** Gives a place back; the queues that may begin now, each of which has its place. */
  leave(teamId: string): TeamQueue[] {
    const left = this.takenBy(teamId) - 1;
    if (left > 0) this.taken.set(teamId, left);
    else this.taken.delete(teamId);
    this.total -= 1;
    const admitted: TeamQueue[] = [];
    for (let next = this.next(); next; next = this.next()) {
      this.take(next.team_id);
      admitted.push(next);
    }
    return admitted;
  }

  private mayEnter(teamId: string): boolean {
    return this.takenBy(teamId) < this.places - this.total;
  }

  private takenBy(teamId: string): number {
    return this.taken.get(teamId) ?? 0;
  }

  private take(teamId: string): void {
    this.taken.set(teamId, this.takenBy(teamId) + 1);
    this.total += 1;
  }

  private wait(teamId: string, queueId: string): void {
    const queues = this.waiting.get(teamId) ?? new Set<string>();
    if (queues.size < maxWaiting) queues.add(queueId);
    this.waiting.set(teamId, queues);
  }

  /** The queue that has waited longest, of the team with the fewest places. */
  private next(): TeamQueue | undefined {
    let least: string | undefined;
    for (const teamId of this.waiting.keys()) {
      if (least === undefined || this.takenBy(teamId) < this.takenBy(least)) least = teamId;
    }
    if (least === undefined || !this.mayEnter(least)) return undefined;
    const queues = this.waiting.get(least)!;
    const [id] = queues;
    queues.delete(id!);
    // Behind others that have as few.
    this.waiting.delete(least);
    if (queues.size > 0) this.waiting.set(least, queues);
    return { id: id!, team_id: least };
  }
}
