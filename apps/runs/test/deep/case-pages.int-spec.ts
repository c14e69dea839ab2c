import { uuidv7 } from 'uuidv7';
import { caseFilterOf } from '../../src/cases/case-filter.js';
import { casePageQuery, caseTotalQuery, caseWalkQuery, type Query } from '../../src/cases/case-pages.sql.js';
import { forgottenQueues, nextCases } from '../../src/cases/dispatch/case-dispatch.sql.js';
import { rowsRead } from '../query-plans.js';
import { createRunTables, type RunTables } from '../run-rows.js';

const caseCount = 20_000;
/** What a page may look at: far less than there is, and no more if there were a hundred times as many. */
const maxRows = 1_500;

describe(`pages of ${caseCount} cases`, () => {
  let tables: RunTables;
  const queueId = uuidv7();
  const labels = [uuidv7(), uuidv7()];

  beforeAll(async () => {
    tables = await createRunTables();
    await tables.transactions.query(
      `WITH made AS (
         INSERT INTO queue_case (id, team_id, queue_id, title, data, status, rank, claimed_by_run_id, postponed_to, created_at, updated_at)
         SELECT gen_random_uuid(), $1, $2, 'case ' || n || CASE n WHEN 777 THEN ' needle Ω' ELSE '' END, '{}',
                CASE n % 10 WHEN 0 THEN 'failed' WHEN 1 THEN 'pending' ELSE 'completed' END, n % 3, NULL,
                CASE WHEN n % 10 = 1 AND n % 4 = 1 THEN now() + interval '1 day' END,
                now() - n * interval '1 ms', now() - (n * 7919 % ${caseCount}) * interval '1 ms'
           FROM generate_series(1, ${caseCount}) AS n
         RETURNING id, title, status, rank),
         texts AS (INSERT INTO case_text (case_id, queue_id, text) SELECT id, $2, lower(title) FROM made)
       INSERT INTO case_tally (queue_id, status, rank, cases)
       SELECT $2, status, rank, count(*) FROM made GROUP BY status, rank`,
      [uuidv7(), queueId],
    );
    // One label that four cases have, and one that all others have.
    await tables.transactions.query(
      `INSERT INTO case_label_link (case_id, label_id)
       SELECT id, CASE WHEN title IN ('case 7', 'case 77', 'case 777 needle Ω', 'case 7777') THEN $1::uuid ELSE $2::uuid END
         FROM queue_case`,
      labels,
    );
    await tables.transactions.query('VACUUM ANALYZE queue_case, case_text, case_tally, case_label_link');
  });

  afterAll(() => tables?.drop());

  const page = { limit: 20, offset: 40 };
  const orders = (['created_at', 'updated_at', 'priority'] as const).flatMap((by) =>
    (['asc', 'desc'] as const).map((direction) => ({ by, direction })),
  );

  it.each(orders)('cost what lies before and in them: by $by $direction', async (order) => {
    for (const filters of [{}, { status: ['pending' as const] }, { priority: ['high' as const] }]) {
      const rows = await rowsRead(
        tables.transactions,
        casePageQuery(caseFilterOf(queueId, filters), order, page),
      );
      expect([filters, rows < maxRows]).toEqual([filters, true]);
    }
  });

  it('have their total from the ledger', async () => {
    for (const filters of [{}, { status: ['failed' as const], priority: ['none' as const] }]) {
      expect(
        await rowsRead(tables.transactions, caseTotalQuery(caseFilterOf(queueId, filters), 1_000)),
      ).toBeLessThan(20);
    }
  });

  it('are found by a rare word, and by a letter that most have, without a look at all', async () => {
    const order = { by: 'created_at', direction: 'desc' } as const;
    const common = caseFilterOf(queueId, {}, 'c');
    expect(await rowsRead(tables.transactions, casePageQuery(common, order, page))).toBeLessThan(maxRows);
    const rare = caseFilterOf(queueId, {}, 'needle');
    expect(await rowsRead(tables.transactions, casePageQuery(rare, order, page))).toBeLessThan(maxRows);
    const [row] = await tables.transactions.query<{ title: string }>(
      ...argumentsOf(casePageQuery(rare, order, { limit: 20, offset: 0 })),
    );
    expect(row!.title).toBe('case 777 needle Ω');
  });

  it.each(['Ω', 'ж', 'Ω ', 'qz', 'le Ω'])(
    'are found by what few or none have, without a look at all: %j',
    async (search) => {
      const order = { by: 'created_at', direction: 'desc' } as const;
      const filter = caseFilterOf(queueId, {}, search);
      expect(await rowsRead(tables.transactions, casePageQuery(filter, order, page))).toBeLessThan(maxRows);
      const found = await tables.transactions.query<{ title: string }>(
        ...argumentsOf(casePageQuery(filter, order, { limit: 20, offset: 0 })),
      );
      const isThere = 'case 777 needle Ω'.toLowerCase().includes(search.toLowerCase());
      expect(found.map(({ title }) => title)).toEqual(isThere ? ['case 777 needle Ω'] : []);
    },
  );

  it('are counted only so far, where the ledger does not tell', async () => {
    for (const search of ['case', 'c', 'as']) {
      const query = caseTotalQuery(caseFilterOf(queueId, {}, search), 500);
      expect(await rowsRead(tables.transactions, query)).toBeLessThan(caseCount / 2);
      const [row] = await tables.transactions.query<{ total: string }>(...argumentsOf(query));
      expect(Number(row!.total)).toBe(500);
    }
  });

  it('are found by a label that few or most have, without a look at all', async () => {
    const order = { by: 'created_at', direction: 'desc' } as const;
    for (const [label, cases] of [
      ['few', 4],
      ['most', caseCount - 4],
    ] as const) {
      const named = caseFilterOf(queueId, { labels: { region: [label] } });
      const filter = { ...named, labelIds: [[labels[label === 'few' ? 0 : 1]!]] };
      expect(await rowsRead(tables.transactions, casePageQuery(filter, order, page))).toBeLessThan(maxRows);
      const [row] = await tables.transactions.query<{ total: string }>(
        ...argumentsOf(caseTotalQuery(filter, 500)),
      );
      expect(Number(row!.total)).toBe(Math.min(cases, 500));
    }
  });

  it('are walked from a place on', async () => {
    const after = { created_at: new Date(Date.now() - caseCount / 2).toISOString(), id: uuidv7() };
    expect(await rowsRead(tables.transactions, caseWalkQuery(caseFilterOf(queueId), after, 20))).toBeLessThan(
      maxRows,
    );
  });

  it('what is to be taken next, and which queues have something, is found by small indexes', async () => {
    const next = { sql: nextCases, parameters: [queueId, 20, uuidv7()] };
    expect(await rowsRead(tables.transactions, next)).toBeLessThan(maxRows);
    expect(await rowsRead(tables.transactions, { sql: forgottenQueues, parameters: [100] })).toBeLessThan(
      maxRows,
    );
  });
});

function argumentsOf({ sql, parameters }: Query): [string, unknown[]] {
  return [sql, parameters];
}
