/** How many runs are in flight. Many come first: they warm everything up. */
export const levels = [50, 10, 1] as const;

export interface Pace {
  readonly rounds: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export const fullPace: Pace = { rounds: 5, warmUpSeconds: 1, seconds: 3 };
/** Whether everything works, and no more than that. */
export const quickPace: Pace = { rounds: 1, warmUpSeconds: 1, seconds: 2 };

/** The order of a round: each begins with another, so that nobody always comes after the same one. */
export function inTurn<T>(all: readonly T[], round: number): T[] {
  const first = all.length === 0 ? 0 : round % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}
