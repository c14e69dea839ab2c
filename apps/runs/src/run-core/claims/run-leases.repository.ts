import { PreparedStatements, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { endColumns } from '../run-columns.js';
import type { RunEntity } from '../run.entity.js';
import {
  checkLeases,
  deferRun,
  dueSuspect,
  releaseAbandoned,
  renewLeases,
  waitingTeams,
} from './run-claims.sql.js';

/** A lease by which a worker has a run. */
export interface LeaseKey {
  readonly runId: string;
  readonly token: string;
}

/** A run whose lease has run out. */
export type AbandonedRun = Pick<RunEntity, (typeof endColumns)[number] | 'takeovers'>;

/** The leases of runs, of all teams: which worker has a run, and which runs have none. */
@Injectable()
export class RunLeasesRepository {
  constructor(
    private readonly statements: PreparedStatements,
    private readonly transactions: Transactions,
  ) {}

  /** Moves the ends of leases; gives the tokens of those that still hold. */
  async renew(leases: readonly LeaseKey[], leaseMs: number): Promise<Set<string>> {
    const rows = await this.statements.write<{ token: string }>(renewLeases, [...columnsOf(leases), leaseMs]);
    return new Set(rows.map(({ token }) => token));
  }

  /** The tokens of those that still hold. */
  async check(leases: readonly LeaseKey[]): Promise<Set<string>> {
    const rows = await this.statements.read<{ token: string }>(checkLeases, columnsOf(leases));
    return new Set(rows.map(({ token }) => token));
  }

  /** Gives a run back that is to be taken again after this time. False if it was no longer this worker's. */
  async defer({ runId, token }: LeaseKey, pauseMs: number): Promise<boolean> {
    const rows = await this.statements.write(deferRun, [runId, token, pauseMs]);
    return rows.length > 0;
  }

  /** Takes expired leases away; `delaysMs`: how long a run waits, by how many workers it has lost. */
  releaseAbandoned(
    limit: number,
    leaseMs: number,
    delaysMs: readonly number[],
  ): Promise<readonly AbandonedRun[]> {
    return this.transactions.query<AbandonedRun>(releaseAbandoned, [limit, leaseMs, delaysMs]);
  }

  /** The teams with runs that wait for a worker for longer than this. */
  async waitingTeams(graceMs: number): Promise<string[]> {
    const rows = await this.transactions.query<{ team_id: string }>(waitingTeams, [graceMs]);
    return rows.map(({ team_id: teamId }) => teamId);
  }

  /** The run that is to be tried next in a process of its own. */
  async dueSuspect(): Promise<string | undefined> {
    const [run] = await this.transactions.query<{ id: string }>(dueSuspect);
    return run?.id;
  }
}

function columnsOf(leases: readonly LeaseKey[]): [runIds: string[], tokens: string[]] {
  return [leases.map(({ runId }) => runId), leases.map(({ token }) => token)];
}
