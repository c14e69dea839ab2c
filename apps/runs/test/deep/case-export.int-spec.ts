import {
  bulkUpdateCasePriority,
  continueCaseExport,
  exportCases,
  type NewCase,
  type OperationResponse,
} from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { caseFilterOf } from '../../src/cases/case-filter.js';
import { CaseList } from '../../src/cases/case-list.js';
import { casesClient, type CasesClient } from '../cases-under-test.js';
import { startRuns, type RunsUnderTest } from '../runs-under-test.js';

type Page = OperationResponse<typeof exportCases>;
type State = NonNullable<Page['next']>;

/** More than one request looks through for columns. */
const many = 20_500;
const onFirstPage = 500;
/** As many as createCases takes. */
const atOnce = 100;

describe('cases as a file, page by page', () => {
  let runs: RunsUnderTest;
  let cases: CasesClient;
  let services: ServiceClient;

  beforeAll(async () => {
    runs = await startRuns();
    cases = casesClient(runs);
    services = runs.running.app.get(ServiceClient);
  });

  afterAll(() => runs?.stop());

  async function begin(queueId: string, query: Record<string, string> = {}): Promise<Page> {
    const { status, body, text } = await runs.call(exportCases, { params: { queue_id: queueId }, query });
    if (status !== 200) throw new Error(text);
    return body;
  }

  const goOn = (state: State | null): Promise<Page> =>
    services.call(continueCaseExport, { team_id: runs.teamId, state: state! });

  async function rest(page: Page, kept = (state: State): State => state): Promise<string> {
    let whole = page.text;
    for (let last = page; last.next !== null; whole += last.text) last = await goOn(kept(last.next));
    return whole;
  }

  /** A queue with so many cases, of which the first and the newest alone have data. */
  async function filled(count: number): Promise<string> {
    const queueId = await cases.queue();
    await runs.database.query(
      `INSERT INTO runs.queue_case (id, team_id, queue_id, title, data, status, rank, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, 'case ' || n,
              CASE n WHEN 1 THEN '{"first": 1}' WHEN $3 THEN '{"last": 2}' ELSE 'null' END::jsonb,
              'pending', 2, now() - ($3 - n) * interval '1 ms', now()
         FROM generate_series(1, $3::int) AS n`,
      [runs.teamId, queueId, count],
    );
    return queueId;
  }

  const titles = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `high ${n}` }));

  async function addHigh(queueId: string, given: readonly Partial<NewCase>[]): Promise<void> {
    const wanted = given.map((one) => ({ title: 'high', ...one, priority: 'high' as const }));
    for (let from = 0; from < wanted.length; from += atOnce) {
      await cases.add(queueId, ...wanted.slice(from, from + atOnce));
    }
  }

  describe('of which one request cannot look through all for their columns', () => {
    let queueId: string;

    beforeAll(async () => {
      queueId = await filled(many);
    });

    function expectAll(text: string): void {
      const lines = text.split('\r\n');
      expect([lines[0], lines[1], lines.at(-2), lines.length]).toEqual([
        'title,priority,postponed_to,first,last',
        'case 1,none,,1,',
        `case ${many},none,,,2`,
        many + 2,
      ]);
    }

    it('has no text before they are known, and all cases then', async () => {
      const first = await begin(queueId);
      expect(first).toMatchObject({
        text: '',
        next: { gathered: { columns: { labels: [], data: ['first'] } } },
      });
      expectAll(await rest(first));
    });

    it('is whole behind a gateway of the version before, which keeps what it knows of a state', async () => {
      const known = ({ gathered: _, until: __, ...state }: State): State => state;
      expectAll(await rest(await begin(queueId), known));
    });

    it('fails at a replica of the version before, which would go on at a place that no database knows', async () => {
      const { next } = await begin(queueId);
      const walk = runs.running.app
        .get(CaseList, { strict: false })
        .walk(caseFilterOf(queueId), next!.after, 1);
      await expect(walk).rejects.toThrow('out of range');
    });
  });

  it.each<[string, Partial<NewCase>]>([
    ['a name in its data', { data: { late: 1 } }],
    ['a label', { labels: [{ key: 'late', value: 'a' }] }],
    [
      'one more label of a key',
      {
        labels: [
          { key: 'kind', value: 'a' },
          { key: 'kind', value: 'b' },
        ],
      },
    ],
  ])('is broken off where a case comes to match that has %s without a column', async (_, given) => {
    const queueId = await cases.queue();
    await addHigh(queueId, [{ labels: [{ key: 'kind', value: 'a' }] }, ...titles(onFirstPage - 1)]);
    const [late] = await cases.add(queueId, { title: 'other', priority: 'none', ...given });
    await addHigh(queueId, [{ title: 'last' }]);
    const { next } = await begin(queueId, { priority: 'high' });
    await runs.call(bulkUpdateCasePriority, {
      params: { queue_id: queueId },
      body: { case_ids: [late!.id], priority: 'high' },
    });
    await expect(goOn(next)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('has a case that comes to match and has its columns, and none that was made since', async () => {
    const queueId = await cases.queue();
    await addHigh(queueId, [{ data: { note: 1 } }, ...titles(onFirstPage - 1)]);
    const [late] = await cases.add(queueId, { title: 'late', priority: 'none', data: { note: 2 } });
    await addHigh(queueId, [{ title: 'last' }]);
    const first = await begin(queueId, { priority: 'high' });
    await runs.call(bulkUpdateCasePriority, {
      params: { queue_id: queueId },
      body: { case_ids: [late!.id], priority: 'high' },
    });
    await addHigh(queueId, [{ title: 'since', data: { other: 3 } }]);
    expect((await goOn(first.next)).text.split('\r\n')).toEqual(['late,high,,2', 'last,high,,', '']);
  });
});
