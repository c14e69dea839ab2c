import { notFound, type HumanRequest } from '@aos/contracts';
import { PreparedStatements, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { HumanRequestEntity } from './human-request.entity.js';

type Row = HumanRequestEntity;

export interface HumanRequestFilter {
  readonly status?: HumanRequest['status'];
  readonly assignee?: string;
  readonly overdue?: boolean;
}

/** How a request was settled. */
export interface Settlement {
  readonly status: Exclude<HumanRequest['status'], 'pending'>;
  readonly response: HumanRequest['response'];
  readonly votes: HumanRequest['votes'];
}

@Injectable()
export class HumanRequestsRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
  ) {}

  async pendingOf(teamId: string, runId: string): Promise<Row | undefined> {
    const [row] = await this.statements.read<Row>(
      `SELECT * FROM human_request WHERE run_id = $2 AND team_id = $1 AND status = 'pending'`,
      [teamId, runId],
    );
    return row;
  }

  async ofRun(teamId: string, runId: string): Promise<Row[]> {
    return this.statements.read<Row>(
      'SELECT * FROM human_request WHERE run_id = $2 AND team_id = $1 ORDER BY id',
      [teamId, runId],
    );
  }

  /** Inside the transaction that has locked its run. */
  async get(teamId: string, runId: string, requestId: string): Promise<Row> {
    const row = await this.transactions
      .repository(HumanRequestEntity)
      .findOneBy({ id: requestId, run_id: runId, team_id: teamId });
    if (!row) throw notFound('The human request');
    return row;
  }

  /** Inside the transaction that has locked its run. */
  pendingInTransaction(teamId: string, runId: string): Promise<Row | null> {
    return this.transactions
      .repository(HumanRequestEntity)
      .findOneBy({ run_id: runId, team_id: teamId, status: 'pending' });
  }

  async settle(teamId: string, requestId: string, { status, response, votes }: Settlement): Promise<Row> {
    const [row] = await this.transactions.query<Row>(
      `UPDATE human_request SET status = $3, response = $4, votes = $5, responded_at = now()
        WHERE id = $2 AND team_id = $1 AND status = 'pending' RETURNING *`,
      [teamId, requestId, status, response === null ? null : JSON.stringify(response), JSON.stringify(votes)],
    );
    return row!;
  }

  async keepVotes(teamId: string, requestId: string, votes: HumanRequest['votes']): Promise<Row> {
    const [row] = await this.transactions.query<Row>(
      `UPDATE human_request SET votes = $3 WHERE id = $2 AND team_id = $1 AND status = 'pending' RETURNING *`,
      [teamId, requestId, JSON.stringify(votes)],
    );
    return row!;
  }

  /** Requests of all teams whose time is over. */
  async overdue(limit: number, except: readonly string[]): Promise<Pick<Row, 'id' | 'run_id' | 'team_id'>[]> {
    return this.transactions.query(
      `SELECT id, run_id, team_id FROM human_request
        WHERE status = 'pending' AND due_at <= now() AND id <> ALL ($2::uuid[]) ORDER BY due_at LIMIT $1`,
      [limit, except],
    );
  }

  async list(teamId: string, filter: HumanRequestFilter, page: PageRequest): Promise<Page<Row>> {
    const where = `team_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR assignee = $3)
      AND ($4::boolean IS NULL OR (status = 'pending' AND due_at IS NOT NULL AND due_at <= now()) = $4)`;
    const values = [teamId, filter.status ?? null, filter.assignee ?? null, filter.overdue ?? null];
    const items = await this.transactions.query<Row>(
      `SELECT * FROM human_request WHERE ${where} ORDER BY id LIMIT $5 OFFSET $6`,
      [...values, page.limit, page.offset],
    );
    const [total] = await this.transactions.query<{ count: string }>(
      `SELECT count(*) FROM human_request WHERE ${where}`,
      values,
    );
    return { items, total: Number(total!.count), ...page };
  }
}
