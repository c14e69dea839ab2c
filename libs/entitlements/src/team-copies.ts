import { LRUCache } from 'lru-cache';

const maxKept = 10_000;

/**
 * What is known of teams, kept for a while so that no request waits for it: the one way in which a process keeps what
 * plans and budgets say. Another replica may go by what it knew before for as long as a copy lives.
 */
export class TeamCopies<Value extends object> {
  private readonly kept?: LRUCache<string, Value>;
  /** Reads under way: when a copy has had its time, all who want it next share one. */
  private readonly reading = new Map<string, Promise<Value>>();

  constructor(
    /** How long a copy is good; 0: each time it is read. */
    livesForMs: number,
    private readonly read: (teamId: string) => Promise<Value>,
  ) {
    // A library's 0 would be for ever.
    if (livesForMs > 0) this.kept = new LRUCache({ max: maxKept, ttl: livesForMs });
  }

  async of(teamId: string): Promise<Value> {
    const kept = this.kept?.get(teamId);
    if (kept) return kept;
    // Who reads may be in a transaction that fails, which is no fault of the others.
    return this.reading.get(teamId)?.catch(() => this.latest(teamId)) ?? this.latest(teamId);
  }

  /** As it is now. */
  async latest(teamId: string): Promise<Value> {
    const { kept } = this;
    const reading = this.read(teamId);
    if (!kept) return reading;
    this.reading.set(teamId, reading);
    const isLatest = () => this.reading.get(teamId) === reading;
    try {
      const value = await reading;
      if (isLatest()) kept.set(teamId, value);
      return value;
    } finally {
      if (isLatest()) this.reading.delete(teamId);
    }
  }

  /** It has changed in this process; what is read at the moment may be of before. */
  forget(teamId: string): void {
    this.kept?.delete(teamId);
    this.reading.delete(teamId);
  }
}
