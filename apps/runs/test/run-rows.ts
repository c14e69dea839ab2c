import { hasEnded } from '@aos/contracts';
import { Entitlements } from '@aos/entitlements';
import { createDataSource, Transactions } from '@aos/persistence';
import { defineService } from '@aos/service';
import { createTestDatabase, type TestDatabase } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { PlanTeamLimits, TeamLimitsRepository } from '../src/capacity/team-limits/plan-team-limits.js';
import { service } from '../src/index.js';
import { searchable } from '../src/lifecycle/run-list/run-filters.js';
import { RunListRepository, RunListService } from '../src/lifecycle/run-list/run-list.service.js';
import { PendingReasons } from '../src/run-core/claims/pending-reasons.js';
import type { RunStepEntity } from '../src/run-core/records/run-records.entities.js';
import type { RunEntity } from '../src/run-core/run.entity.js';

/** The tables of the service, without what works on them. */
export const runTables = defineService({ name: service.name, model: service.model, modules: [] });

export interface RunTables {
  readonly database: TestDatabase;
  readonly transactions: Transactions;
  drop(): Promise<void>;
}

export async function createRunTables(): Promise<RunTables> {
  const database = await createTestDatabase([runTables]);
  const settings = { url: database.url, schema: 'runs', poolSize: 8, applicationName: 'runs' };
  const dataSource = await createDataSource(settings, {
    entities: service.model.entities,
    migrations: [],
  }).initialize();
  return {
    database,
    transactions: new Transactions(dataSource),
    drop: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

/** A run that waits to be taken, unless the fields say something else. */
export function runRow(fields: Partial<RunEntity> = {}): RunEntity {
  const createdAt = fields.created_at ?? new Date();
  return {
    id: uuidv7(),
    team_id: uuidv7(),
    agent_id: uuidv7(),
    run_number: 1,
    agent_name: 'an agent',
    build_id: uuidv7(),
    build_digest: 'digest',
    title: 'a run',
    status: 'pending',
    source: 'api',
    sandbox_id: uuidv7(),
    traceparent: null,
    user_id: null,
    schedule_id: null,
    parent_run_id: null,
    parent_call_id: null,
    depth: 0,
    case_id: null,
    case_title: null,
    case_queue_id: null,
    case_queue_name: null,
    human_in_the_loop_enabled: true,
    metadata: {},
    webhook_url: null,
    result: null,
    error: null,
    stop_reason: null,
    steps: 0,
    tool_calls: 0,
    input_tokens: '0',
    output_tokens: '0',
    has_issues: null,
    issue_severity: null,
    script_position: 0,
    message_seq: 0,
    event_seq: 0,
    reopened: 0,
    limits_from_steps: 0,
    limits_from_tokens: '0',
    active_ms: '0',
    dispatches: 0,
    takeovers: 0,
    message_bytes: '0',
    timeline: null,
    queued_at: createdAt,
    lease_token: null,
    lease_until: null,
    wake_at: null,
    created_at: createdAt,
    started_at: null,
    completed_at: null,
    updated_at: createdAt,
    ...fields,
  };
}

/** Stores runs as the service does: with their titles, and with the ledger of those that have ended. */
export async function insertRuns({ transactions }: RunTables, rows: readonly RunEntity[]): Promise<void> {
  const titles = rows.map(({ id, team_id, title }) => ({ run_id: id, team_id, title: searchable(title) }));
  const ends = rows.filter(({ status }) => hasEnded(status));
  await transactions.run(async () => {
    await fill(transactions, 'run', rows);
    await fill(transactions, 'run_title', titles);
    await transactions.query(
      `INSERT INTO run_tally (team_id, agent_id, user_id, case_queue_id, source, status, runs)
       SELECT team_id, agent_id, user_id, case_queue_id, source, status, 1
         FROM jsonb_populate_recordset(NULL::run, $1::jsonb)`,
      [JSON.stringify(ends)],
    );
  });
}

export async function insertSteps(
  { transactions }: RunTables,
  steps: readonly RunStepEntity[],
): Promise<void> {
  await fill(transactions, 'run_step', steps);
}

async function fill(transactions: Transactions, table: string, rows: readonly object[]): Promise<void> {
  await transactions.query(
    `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
}

/** The list of runs on these tables, with all that it asks. */
export function listOfRuns({ transactions }: Pick<RunTables, 'transactions'>): RunListService {
  const entitlements = new Entitlements(transactions, { PLAN_CACHE_MS: 0 });
  const limits = new PlanTeamLimits(new TeamLimitsRepository(transactions), entitlements, transactions);
  return new RunListService(new RunListRepository(transactions), new PendingReasons(limits, transactions));
}
