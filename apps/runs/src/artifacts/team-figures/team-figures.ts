import { readUsage } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { casesByQueue, evaluated, runsByAgent, runsByDay, runsByStatus } from './team-figures.sql.js';

type Usage = z.output<(typeof readUsage)['response']>;

interface EndedRuns {
  readonly completed: number;
  readonly failed: number;
  readonly stopped: number;
}

export interface TeamFiguresShown {
  readonly as_of: string;
  readonly days: number;
  readonly runs_by_status: Readonly<Record<string, number>>;
  readonly runs_by_day: readonly ({ readonly date: string } & EndedRuns)[];
  readonly runs_by_agent: readonly ({ readonly agent_id: string; readonly name: string } & EndedRuns)[];
  readonly queues: readonly {
    readonly queue_id: string;
    readonly name: string;
    readonly pending: number;
    readonly completed: number;
    readonly failed: number;
  }[];
  readonly evaluations: { readonly evaluated: number; readonly with_issues: number };
  /** This calendar month; null while billing is unavailable. */
  readonly usage: Pick<Usage, 'period' | 'runs' | 'active_seconds' | 'model' | 'tool_calls' | 'daily'> | null;
}

const dayMs = 24 * 3_600_000;
const maxListed = 20;
const usageTimeoutMs = 2_000;
/** A service that did not answer is left alone for a while. */
const awayForMs = 15_000;

/** Adds up what a team has done, from ledgers and indexes; it reads no single run. */
@Injectable()
export class TeamFigures {
  private awayUntil = 0;

  constructor(
    private readonly transactions: Transactions,
    private readonly services: ServiceClient,
    private readonly logger: Logger,
  ) {}

  async of(teamId: string, days: number): Promise<TeamFiguresShown> {
    const now = new Date();
    const since = new Date(Math.floor(now.getTime() / dayMs) * dayMs - (days - 1) * dayMs);
    const statuses = await this.rows<{ status: string; runs: number }>(runsByStatus, teamId);
    const ended = await this.rows<{ date: string } & EndedRuns>(runsByDay, teamId, since);
    const [judged] = await this.rows<TeamFiguresShown['evaluations']>(evaluated, teamId, since);
    return {
      as_of: now.toISOString(),
      days,
      runs_by_status: Object.fromEntries(statuses.map(({ status, runs }) => [status, runs])),
      runs_by_day: everyDay(since, days, ended),
      runs_by_agent: await this.rows(runsByAgent, teamId, maxListed),
      queues: await this.rows(casesByQueue, teamId, maxListed),
      evaluations: judged!,
      usage: await this.usage(teamId),
    };
  }

  private rows<Row>(sql: string, ...parameters: unknown[]): Promise<Row[]> {
    return this.transactions.query<Row>(sql, parameters);
  }

  /** A page without the usage is better than none. */
  private async usage(teamId: string): Promise<TeamFiguresShown['usage']> {
    if (Date.now() < this.awayUntil) return null;
    try {
      const request = { team_id: teamId };
      const used = await this.services.call(readUsage, request, { timeoutMs: usageTimeoutMs });
      const { period, runs, active_seconds, model, tool_calls, daily } = used;
      return { period, runs, active_seconds, model, tool_calls, daily };
    } catch (error) {
      this.awayUntil = Date.now() + awayForMs;
      this.logger.warn({ err: error, team_id: teamId }, 'reading the usage of a team failed');
      return null;
    }
  }
}

/** Days on which nothing ended are days too. */
function everyDay(
  since: Date,
  days: number,
  ended: readonly ({ date: string } & EndedRuns)[],
): ({ date: string } & EndedRuns)[] {
  const known = new Map(ended.map((row) => [row.date, row]));
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(since.getTime() + index * dayMs).toISOString().slice(0, 10);
    return known.get(date) ?? { date, completed: 0, failed: 0, stopped: 0 };
  });
}
