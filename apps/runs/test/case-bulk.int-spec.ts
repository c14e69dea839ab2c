import {
  bulkDeleteCases,
  bulkReprocessCases,
  bulkUpdateCasePriority,
  bulkUpdateCaseStatus,
  getQueue,
  listCases,
  type Operation,
} from '@aos/contracts';
import { uuidv7 } from 'uuidv7';
import { casesClient, counted, type CasesClient } from './cases-under-test.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

describe('many cases at once', () => {
  let runs: RunsUnderTest;
  let cases: CasesClient;

  beforeAll(async () => {
    runs = await startRuns();
    cases = casesClient(runs);
  });

  afterAll(() => runs?.stop());

  const countsOf = async (queueId: string) =>
    (await runs.call(getQueue, { params: { queue_id: queueId } })).body.queue.case_counts;

  /** A queue with so many cases, as the service stores them. */
  async function filled(count: number): Promise<string> {
    const queueId = await cases.queue();
    await runs.database.query(
      `WITH made AS (
         INSERT INTO runs.queue_case (id, team_id, queue_id, title, data, status, rank, created_at, updated_at)
         SELECT gen_random_uuid(), $1, $2, 'case ' || n, '{}', 'pending', 2, now() - n * interval '1 ms', now()
           FROM generate_series(1, $3::int) AS n
         RETURNING id, title),
         texts AS (INSERT INTO runs.case_text (case_id, queue_id, text) SELECT id, $2, title FROM made)
       INSERT INTO runs.case_tally (queue_id, status, rank, cases) VALUES ($2, 'pending', 2, $3::int)`,
      [runs.teamId, queueId, count],
    );
    return queueId;
  }

  it('all that match are changed, also what a replica has made whose clock is ahead', async () => {
    const queueId = await filled(3);
    await runs.database.query(
      `UPDATE runs.queue_case SET created_at = now() + interval '3 seconds' WHERE queue_id = $1 AND title = 'case 1'`,
      [queueId],
    );
    const { body } = await runs.call(bulkUpdateCasePriority, {
      params: { queue_id: queueId },
      body: { all_matching: true, priority: 'high' },
    });
    expect(body.updated_count).toBe(3);
  });

  it('all that match are changed, also when they were made in one instant', async () => {
    const queueId = await filled(1_234);
    await runs.database.query('UPDATE runs.queue_case SET created_at = now() WHERE queue_id = $1', [queueId]);
    const { body } = await runs.call(bulkUpdateCaseStatus, {
      params: { queue_id: queueId },
      body: { all_matching: true, status: 'completed', reason: 'old' },
    });
    expect(body).toEqual(counted('updated', 1_234, 0));
    expect(await countsOf(queueId)).toEqual({ pending: 0, completed: 1_234, failed: 0 });
  });

  it('all that match are changed, in batches, and counted', async () => {
    const queueId = await filled(1_234);
    const params = { queue_id: queueId };
    const { body: ranked } = await runs.call(bulkUpdateCasePriority, {
      params,
      body: { all_matching: true, search: 'case 1', priority: 'high' },
    });
    // 1, 10 to 19, 100 to 199, 1000 to 1234.
    expect(ranked).toEqual(counted('updated', 346, 0));
    const { body: list } = await runs.call(listCases, { params, query: { priority: 'high' } });
    expect(list.total).toBe(346);
    const { body: settled } = await runs.call(bulkUpdateCaseStatus, {
      params,
      body: { all_matching: true, filters: { priority: ['none'] }, status: 'completed', reason: 'old' },
    });
    expect(settled).toEqual(counted('updated', 888, 0));
    expect(await countsOf(queueId)).toEqual({ pending: 346, completed: 888, failed: 0 });
    const { body: again } = await runs.call(bulkReprocessCases, { params, body: { all_matching: true } });
    expect(again).toEqual(counted('reprocessed', 888, 346));
    const { body: gone } = await runs.call(bulkDeleteCases, { params, body: { all_matching: true } });
    expect(gone).toEqual(counted('deleted', 1_234, 0));
    expect(await countsOf(queueId)).toEqual({ pending: 0, completed: 0, failed: 0 });
  });

  it('a request that was cut off goes on where it was, and answers the whole counts', async () => {
    const queueId = await filled(1_600);
    const params = { queue_id: queueId };
    const request = {
      params,
      body: { all_matching: true, status: 'failed', reason: 'cut off' },
      key: uuidv7(),
    } as const;
    // The third batch meets a row that cannot be changed.
    await runs.database.query(`
      CREATE FUNCTION runs.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM runs.queue_case WHERE status = 'failed') >= 1000 THEN RAISE 'cut off'; END IF;
        RETURN NEW;
      END $$`);
    await runs.database.query(
      'CREATE TRIGGER refuse BEFORE UPDATE ON runs.queue_case FOR EACH STATEMENT EXECUTE FUNCTION runs.refuse()',
    );
    const cut = await runs.call(bulkUpdateCaseStatus, request).catch((error: unknown) => error);
    expect(cut).toMatchObject({ status: 500 });
    expect(await countsOf(queueId)).toEqual({ pending: 600, completed: 0, failed: 1_000 });
    const other = await runs.call(bulkUpdateCaseStatus, {
      ...request,
      body: { ...request.body, status: 'completed' },
    });
    expect([other.status, other.body.error]).toEqual([409, 'idempotency_conflict']);
    await runs.database.query('DROP TRIGGER refuse ON runs.queue_case');
    await cases.add(queueId, 'came later');
    const { body } = await runs.call(bulkUpdateCaseStatus, request);
    expect(body).toEqual(counted('updated', 1_600, 0));
    expect(await countsOf(queueId)).toEqual({ pending: 1, completed: 0, failed: 1_600 });
    const replayed = await runs.call(bulkUpdateCaseStatus, request);
    expect([replayed.replayed, replayed.body]).toEqual([true, body]);
    expect(await runs.database.query('SELECT 1 FROM runs.case_progress')).toEqual([]);
  });

  it('one at a time works under a key', async () => {
    const queueId = await filled(3_000);
    const request = {
      params: { queue_id: queueId },
      body: { all_matching: true, status: 'completed' },
      key: uuidv7(),
    } as const;
    const answers = await Promise.all([1, 2, 3].map(() => runs.call(bulkUpdateCaseStatus, request)));
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThanOrEqual(1);
    for (const { status, body } of answers) {
      if (status === 200) expect(body.updated_count).toBe(3_000);
      else expect([status, body.error]).toEqual([409, 'idempotency_in_progress']);
    }
    const [events] = await runs.database.query<{ count: number }>(
      `SELECT count(*)::int FROM runs.case_event JOIN runs.queue_case ON queue_case.id = case_id WHERE queue_id = $1`,
      [queueId],
    );
    expect(events!.count).toBe(3_000);
  });

  it('those that are named are meant, if they are of the queue', async () => {
    const queueId = await cases.queue();
    const [one, two] = await cases.add(queueId, 'one', 'two');
    const [foreign] = await cases.add(await cases.queue(), 'of another queue');
    const ids = [one!.id, one!.id, foreign!.id, uuidv7()];
    const { body } = await runs.call(bulkDeleteCases, {
      params: { queue_id: queueId },
      body: { case_ids: ids },
    });
    expect(body).toEqual(counted('deleted', 1, 2));
    expect((await cases.show(two!.id)).status).toBe('pending');
    expect((await cases.show(foreign!.id)).status).toBe('pending');
  });

  it.each([
    ['neither', {}],
    ['both', { case_ids: [uuidv7()], all_matching: true }],
    ['all that do not match', { all_matching: false }],
    ['none', { case_ids: [] }],
    ['too many', { case_ids: Array.from({ length: 101 }, () => uuidv7()) }],
  ])('the choice of %s is refused', async (_, selector) => {
    const params = { queue_id: await cases.queue() };
    const operations: Operation[] = [
      bulkDeleteCases,
      bulkReprocessCases,
      bulkUpdateCaseStatus,
      bulkUpdateCasePriority,
    ];
    for (const operation of operations) {
      const body = { ...selector, status: 'pending', priority: 'none' };
      const answer = await runs.call(operation, { params, body });
      expect([answer.status, (answer.body as { message?: string }).message]).toEqual([
        400,
        expect.stringMatching(/case_ids|all_matching/),
      ]);
    }
  });
});
