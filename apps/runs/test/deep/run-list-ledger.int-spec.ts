import { BackgroundLoops } from '@aos/background';
import { contractTable, endedRunStatuses, listRuns } from '@aos/contracts';
import { DueRows } from '@aos/persistence';
import { createLogger, Shutdown, ServiceIdentity } from '@aos/platform';
import { eventually } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import type { RunListService } from '../../src/lifecycle/run-list/run-list.service.js';
import { RunTallyRepository, RunTallySweep } from '../../src/lifecycle/run-list/run-tally.js';
import { createRunTables, insertRuns, listOfRuns, runRow, type RunTables } from '../run-rows.js';

const all = 1_000_000;

describe('the ledger of ended runs', () => {
  let tables: RunTables;
  let ledger: RunTallyRepository;
  let list: RunListService;

  beforeAll(async () => {
    tables = await createRunTables();
    ledger = new RunTallyRepository(tables.transactions);
    list = listOfRuns(tables);
  });

  afterAll(() => tables?.drop());

  beforeEach(async () => {
    await tables.database.query('TRUNCATE runs.run, runs.run_title, runs.run_tally');
  });

  const ended = { status: 'completed' as const, started_at: new Date(), completed_at: new Date() };
  const totalOf = async (teamId: string, query: Record<string, string> = {}) =>
    (await list.find(teamId, listRuns.query.parse({ ...query, count_only: 'true' }))).total;
  const enter = (row: { team_id: string; agent_id: string; user_id?: string; runs: number }) =>
    tables.database.query(
      `INSERT INTO runs.run_tally (team_id, agent_id, user_id, source, status, runs)
       VALUES ($1, $2, $3, 'api', 'completed', $4)`,
      [row.team_id, row.agent_id, row.user_id ?? null, row.runs],
    );
  const rows = () =>
    tables.database.query<{ agent_id: string; user_id: string | null; runs: number }>(
      'SELECT agent_id, user_id, runs FROM runs.run_tally ORDER BY runs',
    );

  it('compacts rows of one kind into one, and drops what comes to nothing', async () => {
    const [team_id, a, b, user_id] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
    for (const runs of [3, 1, -1]) await enter({ team_id, agent_id: a, runs });
    for (const runs of [5, 5]) await enter({ team_id, agent_id: a, user_id, runs });
    for (const runs of [1, -1]) await enter({ team_id, agent_id: b, runs });
    await enter({ team_id: uuidv7(), agent_id: a, runs: 4 });
    const before = await totalOf(team_id);
    await ledger.compact('0', all);
    expect(await rows()).toEqual([
      { agent_id: a, user_id: null, runs: 3 },
      { agent_id: a, user_id: null, runs: 4 },
      { agent_id: a, user_id, runs: 10 },
    ]);
    expect(await totalOf(team_id)).toBe(before);
  });

  it('is compacted in batches, with what was compacted before', async () => {
    const [team_id, agent_id] = [uuidv7(), uuidv7()];
    for (let n = 0; n < 25; n += 1) await enter({ team_id, agent_id, runs: 1 });
    const sizes: number[] = [];
    for (let after: string | null = '0'; after;) {
      const compacted = await ledger.compact(after, 10);
      expect(compacted!.looked).toBeLessThanOrEqual(10);
      expect(await totalOf(team_id)).toBe(25);
      sizes.push((await rows()).length);
      after = compacted!.last;
    }
    expect(sizes.slice(0, 3)).toEqual([16, 7, 1]);
    expect(await rows()).toEqual([{ agent_id, user_id: null, runs: 25 }]);
    const [{ id }] = (await tables.database.query<{ id: string }>('SELECT id FROM runs.run_tally')) as [
      { id: string },
    ];
    await enter({ team_id, agent_id, runs: 1 });
    await ledger.compact(id, 10);
    expect(await rows()).toEqual([{ agent_id, user_id: null, runs: 26 }]);
  });

  it('leaves rows alone that are the only ones of their kind', async () => {
    const row = { team_id: uuidv7(), agent_id: uuidv7(), runs: 2 };
    await enter(row);
    const version = () => tables.database.query('SELECT id, xmin FROM runs.run_tally');
    const before = await version();
    expect(await ledger.compact('0', all)).toMatchObject({ looked: 1 });
    expect(await version()).toEqual(before);
  });

  it('is compacted by one at a time, who keeps nobody from writing or reading', async () => {
    const [team_id, agent_id] = [uuidv7(), uuidv7()];
    for (let n = 0; n < 5; n += 1) await enter({ team_id, agent_id, runs: 1 });
    const { transactions } = tables;
    const beside = new RunTallyRepository(transactions);
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let begun: (() => void) | undefined;
    const compacted = new Promise<void>((resolve) => (begun = resolve));
    const melting = transactions.run(async () => {
      await ledger.compact('0', all);
      begun!();
      await released;
    });
    await compacted;
    expect(await beside.compact('0', all)).toBeUndefined();
    await enter({ team_id, agent_id, runs: 1 });
    expect(await totalOf(team_id)).toBe(6);
    release!();
    await melting;
    expect(await totalOf(team_id)).toBe(6);
    expect((await rows()).map(({ runs }) => runs)).toEqual([1, 5]);
    await beside.compact('0', all);
    expect((await rows()).map(({ runs }) => runs)).toEqual([6]);
  });

  it('is right at every moment while runs end, are reopened, and rows are compacted', async () => {
    const teamId = uuidv7();
    const agents = [uuidv7(), uuidv7()];
    const runs = Array.from({ length: 40 }, (_, n) =>
      runRow({ team_id: teamId, agent_id: agents[n % 2], ...(n % 3 === 0 ? ended : {}) }),
    );
    await insertRuns(tables, runs);
    let writing = true;
    const seen = new Set<number>();
    const write = async (mine: readonly { id: string }[]) => {
      for (let round = 0; round < 40; round += 1) {
        for (const { id } of mine) await turn(id, endedRunStatuses[round % endedRunStatuses.length]!);
      }
    };
    const read = async () => {
      while (writing) {
        seen.add(await totalOf(teamId));
        const [a, b] = [
          await totalOf(teamId, { agent_id: agents[0]! }),
          await totalOf(teamId, { agent_id: agents[1]! }),
        ];
        expect([a, b]).toEqual([20, 20]);
      }
    };
    const compact = async () => {
      let times = 0;
      while (writing) times += (await ledger.compact('0', 50)) ? 1 : 0;
      return times;
    };
    const writers = Promise.all([write(runs.slice(0, 20)), write(runs.slice(20))]).finally(
      () => (writing = false),
    );
    const [times] = await Promise.all([compact(), compact(), read(), read(), writers]);
    expect([...seen]).toEqual([40]);
    expect(times).toBeGreaterThan(3);
    await ledger.compact('0', all);
    expect(await kinds('runs.run_tally', 'sum(runs)')).toEqual(
      await kinds(`runs.run WHERE status IN ('completed', 'failed', 'stopped')`, 'count(*)'),
    );
  });

  it('is compacted by every replica once in a while, and no more when it shuts down', async () => {
    const row = { team_id: uuidv7(), agent_id: uuidv7(), runs: 1 };
    await enter(row);
    await enter(row);
    const logger = createLogger({ service: 'runs', level: 'silent' });
    const shutdown = new Shutdown(logger, 5_000);
    const loops = new BackgroundLoops(shutdown, logger, new ServiceIdentity('runs', contractTable));
    new RunTallySweep(ledger, loops, new DueRows(tables.transactions));
    loops.onApplicationBootstrap();
    await eventually(async () => expect((await rows()).map(({ runs }) => runs)).toEqual([2]));
    await enter(row);
    await eventually(async () => expect((await rows()).map(({ runs }) => runs)).toEqual([3]));
    expect(await shutdown.run('test')).toMatchObject({ clean: true });
  });

  /** Ends an open run, or reopens an ended one, as the service does: in one statement with the ledger. */
  async function turn(id: string, status: string): Promise<void> {
    await tables.transactions.query(
      `WITH was AS MATERIALIZED (SELECT status AS old FROM run WHERE id = $1 FOR UPDATE),
         changed AS (
           UPDATE run SET status = CASE WHEN completed_at IS NULL THEN $2 ELSE 'running' END,
                  completed_at = CASE WHEN completed_at IS NULL THEN now() END
             FROM was WHERE id = $1
           RETURNING team_id, agent_id, user_id, case_queue_id, source, completed_at,
                     CASE WHEN completed_at IS NULL THEN was.old ELSE status END AS kind)
       INSERT INTO run_tally (team_id, agent_id, user_id, case_queue_id, source, status, runs)
       SELECT team_id, agent_id, user_id, case_queue_id, source, kind, CASE WHEN completed_at IS NULL THEN -1 ELSE 1 END
         FROM changed`,
      [id, status],
    );
  }

  function kinds(from: string, runs: string) {
    return tables.database.query(
      `SELECT agent_id, status, (${runs})::int AS runs FROM ${from} GROUP BY 1, 2 ORDER BY 1, 2`,
    );
  }
});
