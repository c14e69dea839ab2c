import { createCases, createCaseTrigger, createQueue, type Case, type CasePriority } from '@aos/contracts';
import { eventually, ofStorm, seededRandom, type TestDatabase } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import type { RunsClient } from '../../runs-under-test.js';
import { maxStormMs as maxTotalMs, StormyRuns } from '../../stormy-runs.js';

const caseCount = ofStorm({ short: 200, long: 1_000 });
const agentCount = 3;
const concurrency = 5;
const batch = 100;
const random = seededRandom();
const priorities: readonly CasePriority[] = ['high', 'medium', 'none'];

/** Lets go of the run in between, and changes the case before it settles it. */
const steps = [
  'say one',
  'tool update_case {"data": {"worked": true}}',
  'wait 50',
  'tool complete_case {"result": "Done"}',
  'finish ok',
];

describe('cases in a storm', () => {
  let storm: StormyRuns;
  let database: TestDatabase;
  let runs: RunsClient;

  beforeAll(async () => {
    storm = await StormyRuns.start();
    ({ database, runs } = storm);
  });

  afterAll(() => storm?.stop());

  /** A queue that is filled before any agent looks at it. */
  async function filledQueue(): Promise<string> {
    const { body } = await runs.call(createQueue, { body: { name: 'Storm' } });
    const queueId = body.queue_id;
    for (let made = 0; made < caseCount; made += batch) {
      const cases = Array.from({ length: batch }, (_, n) => ({
        title: `case ${made + n}`,
        priority: priorities[random.whole(0, priorities.length - 1)],
      }));
      const request = { params: { queue_id: queueId }, body: { cases }, key: uuidv7() };
      const { status, text } = await runs.call(createCases, request);
      if (status !== 201) throw new Error(text);
    }
    return queueId;
  }

  async function addTrigger(queueId: string): Promise<void> {
    const agentId = await runs.agent(steps);
    const request = {
      params: { agent_id: agentId },
      body: { case_queue_id: queueId, concurrency },
    };
    const { status, text } = await runs.call(createCaseTrigger, request);
    if (status !== 201) throw new Error(text);
  }

  async function unsettled(queueId: string): Promise<number> {
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*)::int FROM runs.queue_case JOIN runs.run ON run.id = claimed_by_run_id
        WHERE queue_id = $1 AND queue_case.status = 'completed' AND run.status = 'completed'`,
      [queueId],
    );
    return caseCount - row!.count;
  }

  it(
    `${caseCount} are settled exactly once by one run each, in order, whoever is killed`,
    async () => {
      const queueId = await filledQueue();
      for (let n = 0; n < agentCount; n += 1) await addTrigger(queueId);
      let mishaps = 0;
      let most = 0;
      const deadline = performance.now() + maxTotalMs;
      while ((await unsettled(queueId)) > 0) {
        if (performance.now() > deadline) throw new Error(`${await unsettled(queueId)} cases are left`);
        // Until most is done: then the rest may end in peace.
        if ((await unsettled(queueId)) > caseCount / 10) {
          mishaps += 1;
          await (mishaps % 4 === 0 ? storm.emptyRedis() : storm.killOne(random));
        }
        const [open] = await database.query<{ most: number }>(
          `SELECT coalesce(max(runs), 0)::int AS most FROM (
           SELECT count(*) AS runs FROM runs.run WHERE case_id IS NOT NULL AND status IN ('pending', 'running')
            GROUP BY agent_id) AS open`,
        );
        most = Math.max(most, open!.most);
        await pause(random.whole(100, 500));
      }
      expect(mishaps).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(concurrency);
      await assertSettledOnce(queueId);
      await assertOrder(queueId);
      await assertEventsAgree(queueId);
    },
    maxTotalMs,
  );

  /** Not a wait for something to happen: the moments at which processes are killed. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  async function assertSettledOnce(queueId: string): Promise<void> {
    const strange = await database.query(
      `SELECT queue_case.id, array_agg(event.type ORDER BY event.created_at, event.id) AS history,
              (SELECT count(*)::int FROM runs.run WHERE case_id = queue_case.id) AS runs
         FROM runs.queue_case JOIN runs.case_event AS event ON event.case_id = queue_case.id
        WHERE queue_id = $1 GROUP BY queue_case.id
       HAVING array_agg(event.type ORDER BY event.created_at, event.id)
                <> ARRAY['created', 'claimed', 'updated', 'completed']
           OR (SELECT count(*) FROM runs.run WHERE case_id = queue_case.id) <> 1`,
      [queueId],
    );
    expect(strange).toEqual([]);
    const tally = await database.query(
      `SELECT status, sum(cases)::int AS cases FROM runs.case_tally WHERE queue_id = $1 GROUP BY status
       HAVING sum(cases) <> 0`,
      [queueId],
    );
    expect(tally).toEqual([{ status: 'completed', cases: caseCount }]);
  }

  /** Claims of one millisecond may stand in any order; else each took what was first. */
  async function assertOrder(queueId: string): Promise<void> {
    const rows = await database.query<Pick<Case, 'id'>>(
      `SELECT id FROM runs.queue_case WHERE queue_id = $1 ORDER BY claimed_at, rank, created_at, id`,
      [queueId],
    );
    const expected = await database.query<Pick<Case, 'id'>>(
      `SELECT id FROM runs.queue_case WHERE queue_id = $1 ORDER BY rank, created_at, id`,
      [queueId],
    );
    expect(rows).toEqual(expected);
  }

  async function assertEventsAgree(queueId: string): Promise<void> {
    await eventually(async () => {
      const rows = await database.query(
        `SELECT outbox.event, count(*)::int AS events, count(DISTINCT outbox.data ->> 'case_id')::int AS cases,
                count(*) FILTER (WHERE outbox.data ->> 'run_id' = queue_case.claimed_by_run_id::text)::int AS of_run
           FROM runs.logged_event AS outbox
           JOIN runs.queue_case ON queue_case.id = (outbox.data ->> 'case_id')::uuid
          WHERE outbox.event LIKE 'queue.case.%' AND queue_case.queue_id = $1
          GROUP BY outbox.event ORDER BY outbox.event`,
        [queueId],
      );
      const whole = { events: caseCount, cases: caseCount, of_run: caseCount };
      expect(rows).toEqual([
        { event: 'queue.case.claimed', ...whole },
        { event: 'queue.case.completed', ...whole },
        { event: 'queue.case.created', ...whole, of_run: 0 },
      ]);
    });
  }
});
