import { LRUCache } from 'lru-cache';

const mostKept = 10_000;

/**
 * What is known of teams, kept for a while so that no request waits for it: the one way in which a process keeps what
 * plans and budgets say. Another replica may go by what it knew before for as long as a copy lives.
 */
export class TeamCopies<Value extends object> {
  private readonly kept?: LRUCache<string, Value>;

  constructor(
    /** How long a copy is good; 0: each time it is read. */
    livesForMs: number,
    private readonly read: (teamId: string) => Promise<Value>,
  ) {
    // A library's 0 would be for ever.
    if (livesForMs > 0) this.kept = new LRUCache({ max: mostKept, ttl: livesForMs });
  }

  async of(teamId: string): Promise<Value> {
    return this.kept?.get(teamId) ?? this.latest(teamId);
  }

  /** As it is now. */
  async latest(teamId: string): Promise<Value> {
    const value = await this.read(teamId);
    this.kept?.set(teamId, value);
    return value;
  }

  /** It has changed in this process. */
  forget(teamId: string): void {
    this.kept?.delete(teamId);
  }
}
