import { uuidv7 } from 'uuidv7';
import { slotsOfTrigger } from '../../src/cases/dispatch/case-dispatch.sql.js';
import { sandboxExists } from '../../src/files/sandboxes.sql.js';
import { runFilterOf, type RunListQuery, type RunOrder } from '../../src/lifecycle/run-list/run-filters.js';
import { runPageQuery } from '../../src/lifecycle/run-list/run-page.sql.js';
import { findSubRun, leftSubRuns } from '../../src/lifecycle/sub-runs/sub-runs.sql.js';
import { claimOldestRuns, dueSuspect, releaseAbandoned } from '../../src/run-core/claims/run-claims.sql.js';
import { indexesOf, rowsRead } from '../query-plans.js';
import { createRunTables, insertRuns, runRow, type RunTables } from '../run-rows.js';

const runCount = 20_000;
/** What a page may look at: far less than there is, and no more if there were a hundred times as many. */
const maxRows = 1_500;

const statuses = ['completed', 'completed', 'completed', 'failed', 'stopped'] as const;

describe(`pages of ${runCount} runs`, () => {
  let tables: RunTables;
  const teamId = uuidv7();
  const [agentId, userId, queueId, caseId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  const page = { limit: 20, offset: 40 };

  beforeAll(async () => {
    tables = await createRunTables();
    const now = Date.now();
    const agents = [agentId, ...Array.from({ length: 9 }, () => uuidv7())];
    const rows = Array.from({ length: runCount }, (_, n) => {
      const isOpen = n % 100 === 0;
      const created = new Date(now - n * 1_000);
      const ended = new Date(created.getTime() + 500 + ((n * 7_919) % 10_000));
      const rare = n % 200 === 7;
      return runRow({
        team_id: teamId,
        agent_id: agents[n % agents.length],
        status: isOpen ? 'pending' : statuses[n % statuses.length],
        source: rare ? 'schedule' : 'api',
        user_id: rare ? userId : n % 2 === 0 ? uuidv7() : null,
        case_queue_id: rare ? queueId : null,
        case_id: n % 5_000 === 7 ? caseId : null,
        has_issues: rare,
        issue_severity: rare ? 'critical' : null,
        created_at: created,
        started_at: isOpen ? null : created,
        completed_at: isOpen ? null : ended,
      });
    });
    for (let from = 0; from < rows.length; from += 5_000)
      await insertRuns(tables, rows.slice(from, from + 5_000));
    await tables.transactions.query('VACUUM ANALYZE run, run_title, run_tally');
  });

  afterAll(() => tables?.drop());

  const filters: Record<string, Partial<RunListQuery>> = {
    'all of them': {},
    'those that are open': { status: ['pending'] },
    'those that failed': { status: ['failed'] },
    'those of an agent': { agent_id: agentId },
    'those of a user': { user_id: userId },
    'those of a source that is rare': { source: 'schedule' },
    'those of a queue': { case_queue_id: queueId },
    'those of a case': { case_id: caseId },
    'those with issues': { has_issues: true },
    'those with severe issues': { issue_severity: 'critical' },
  };
  const orders = (['created_at', 'started_at', 'completed_at'] as const).flatMap((by) =>
    (['asc', 'desc'] as const).map((direction): RunOrder => ({ by, direction })),
  );
  const pageOf = (query: Partial<RunListQuery>, order: RunOrder) =>
    runPageQuery(teamId, runFilterOf(query as RunListQuery), order, page);

  it.each(Object.keys(filters))('cost what lies before and in them: %s', async (name) => {
    for (const order of orders) {
      const rows = await rowsRead(tables.transactions, pageOf(filters[name]!, order));
      expect([order, rows < maxRows]).toEqual([order, true]);
    }
  });

  it('and the sweeps need every index that a run is written to', async () => {
    const some = uuidv7();
    const statements = [
      ...Object.values(filters).flatMap((query) => orders.map((order) => pageOf(query, order))),
      { sql: claimOldestRuns, parameters: [JSON.stringify([{ team_id: teamId, tokens: [some] }]), 1, 'e'] },
      { sql: releaseAbandoned, parameters: [10, 1_000, [0, 0]] },
      { sql: dueSuspect, parameters: [] },
      { sql: findSubRun, parameters: [teamId, some, 'call'] },
      { sql: leftSubRuns, parameters: [10, []] },
      { sql: slotsOfTrigger, parameters: [some] },
      { sql: sandboxExists, parameters: [teamId, some] },
    ];
    const used = new Set<string>();
    for (const statement of statements) {
      for (const name of await indexesOf(tables.transactions, statement)) used.add(name);
    }
    const all = await tables.transactions.query<{ name: string }>(
      `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = 'run'::regclass ORDER BY 1`,
    );
    expect(all.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
  });
});
