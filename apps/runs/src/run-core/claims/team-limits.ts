/** Null means unlimited. */
export interface TeamLimit {
  /** How many may be `running` at once; a sub-run that is to begin does not wait for it. */
  readonly concurrentRuns: number | null;
  /** Whether starts are counted, or refused altogether. */
  readonly countsStarts: boolean;
}

/** Port to the limits of a team. Called for every start and claim, so it must be cheap. */
export abstract class TeamLimits {
  /** Undefined where nothing limits the team. */
  abstract of(teamId: string): Promise<TeamLimit | undefined>;

  /** How many more runs may start now. Others of the team that start wait until the open transaction ends. */
  abstract roomForStarts(teamId: string): Promise<number>;

  /** Counts starts, in the open transaction; refuses them if one is too many. */
  abstract countStarts(teamId: string, starts: number): Promise<void>;
}
