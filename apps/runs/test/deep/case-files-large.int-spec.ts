import { caseFiles, type CaseFiles } from '../case-files-under-test.js';
import { casesClient, type CasesClient } from '../cases-under-test.js';
import { startRuns, type RunsUnderTest } from '../runs-under-test.js';

describe('cases from large files', () => {
  let runs: RunsUnderTest;
  let cases: CasesClient;
  let files: CaseFiles;

  beforeAll(async () => {
    runs = await startRuns();
    cases = casesClient(runs);
    files = caseFiles(runs);
  });

  afterAll(() => runs?.stop());

  it('are refused if the header has more columns than a file may have', async () => {
    const queueId = await cases.queue();
    const header = `title${Array.from({ length: 150_000 }, (_, n) => `,${n}`).join('')}`;
    const answer = await files.imported(queueId, `${header}\nx\n`);
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'line 1: there are more than 500 columns for labels and data.',
    ]);
  });

  it.each([
    ['text/csv', `title,data\n${`large,${'x'.repeat(900_000)}\n`.repeat(9)}`],
    ['text/csv', `title,${'name'.repeat(15_000)}\n${'small,x\n'.repeat(100)}`],
    ['application/x-ndjson', `{"title": "large", "data": "${'x'.repeat(900_000)}"}\n`.repeat(9)],
  ])('rows that are large together are some few in a transaction, of %s too', async (type, text) => {
    const queueId = await cases.queue();
    const { body } = await files.imported(queueId, text, type);
    const [made] = await runs.database.query<{ cases: number; transactions: number }>(
      `SELECT count(*)::int AS cases, count(DISTINCT xmin::text)::int AS transactions
         FROM runs.queue_case WHERE queue_id = '${queueId}'`,
    );
    expect(made).toEqual({ cases: body.accepted, transactions: 2 });
  });
});
