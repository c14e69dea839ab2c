import type { TeamBudgetEntity } from './team-limits.entities.js';

export interface PresentBudget extends Pick<TeamBudgetEntity, 'max_runs' | 'stops'> {
  readonly tokens_used_up: boolean;
}

/** By the clock of Postgres: every process then takes the same moment for the end of the month. $1: team. */
export const presentBudget = `
  SELECT max_runs, stops, coalesce(tokens_used_up_until > now(), false) AS tokens_used_up
    FROM team_budget WHERE team_id = $1`;

/**
 * Compare-and-set of a counter that every start of a team moves: its row is the lock under which they are counted. $1:
 * team, $2: how many. No row: nothing was counted in this month yet.
 */
export const addStarts = `
  UPDATE month_starts SET starts = starts + $2
   WHERE team_id = $1 AND month = date_trunc('month', now() AT TIME ZONE 'UTC')::date
  RETURNING starts::int`;

/** Counts the stored runs of the month. $1: team. */
const startsOfRuns = `
  SELECT coalesce(sum(1 + reopened), 0) FROM run
   WHERE team_id = $1 AND created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;

/**
 * Begins to count: a team that had no limit before has started runs all the same, and each that was reopened counts as
 * one more. Of two that begin, the second adds to the first. $1: team, $2: how many.
 */
export const beginCounting = `
  INSERT INTO month_starts (team_id, month, starts)
  SELECT $1::uuid, date_trunc('month', now() AT TIME ZONE 'UTC')::date, $2 + (${startsOfRuns})
  ON CONFLICT (team_id, month) DO UPDATE SET starts = month_starts.starts + $2
  RETURNING starts::int`;

/** Never less than was counted: a team could delete its runs and start as many again. $1: team. */
export const raiseStarts = `
  UPDATE month_starts SET starts = greatest(starts, (${startsOfRuns}))
   WHERE team_id = $1 AND month = date_trunc('month', now() AT TIME ZONE 'UTC')::date`;
