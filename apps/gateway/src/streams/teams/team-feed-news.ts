interface FollowedTeam {
  /** Notifications since the team is followed. */
  count: number;
  followers: number;
  readonly waiting: Set<() => void>;
}

/** The feed of one team, as long as somebody follows it. */
export interface FollowedFeed {
  /** How often it was heard that the feed has grown. */
  count(): number;
  /** Resolves when the count is another, when the time is over or when the signal aborts. */
  next(seen: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
  release(): void;
}

/**
 * Wakes the streams of teams whose feeds have grown. A follower notes the count before it reads a page and waits for
 * another one afterwards, so that nothing that comes in between is slept through.
 */
export class TeamFeedNews {
  private readonly teams = new Map<string, FollowedTeam>();

  notify(teamId: string): void {
    const team = this.teams.get(teamId);
    if (!team) return;
    team.count += 1;
    for (const wake of team.waiting) wake();
  }

  follow(teamId: string): FollowedFeed {
    const team = this.teams.get(teamId) ?? { count: 0, followers: 0, waiting: new Set() };
    this.teams.set(teamId, team);
    team.followers += 1;
    let isReleased = false;
    return {
      count: () => team.count,
      next: (seen, timeoutMs, signal) => untilAnother(team, seen, timeoutMs, signal),
      release: () => {
        if (isReleased) return;
        isReleased = true;
        team.followers -= 1;
        if (team.followers === 0) this.teams.delete(teamId);
      },
    };
  }

  /** How many teams are followed. */
  get followed(): number {
    return this.teams.size;
  }
}

function untilAnother(
  team: FollowedTeam,
  seen: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  if (team.count !== seen || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      team.waiting.delete(finish);
      resolve();
    };
    const timer = setTimeout(finish, timeoutMs);
    signal.addEventListener('abort', finish);
    team.waiting.add(finish);
  });
}
