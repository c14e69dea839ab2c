import { exportCases, getQueue, importCases, listCases, stageImport, type Case } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { eventually, waitingSessions } from '@aos/testing';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { caseFiles, type CaseFiles } from './case-files-under-test.js';
import { casesClient, type CasesClient } from './cases-under-test.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

describe('cases from files, and as files', () => {
  let runs: RunsUnderTest;
  let cases: CasesClient;
  let services: ServiceClient;
  let upload: CaseFiles['upload'];
  let imported: CaseFiles['imported'];
  let exported: CaseFiles['exported'];

  beforeAll(async () => {
    runs = await startRuns();
    cases = casesClient(runs);
    services = runs.running.app.get(ServiceClient);
    ({ upload, imported, exported } = caseFiles(runs));
  });

  afterAll(() => runs?.stop());

  const listed = async (queueId: string) =>
    (
      await runs.call(listCases, {
        params: { queue_id: queueId },
        query: { sort_order: 'asc', limit: '100' },
      })
    ).body.cases as Case[];

  it('columns are fields, labels and data', async () => {
    const queueId = await cases.queue();
    const text =
      '\uFEFFtitle,priority,postponed_to,label:region,customer,total\r\n' +
      '"Invoice ""4711""",high,,north,Ärger & Co,12.5\r\n' +
      'Second,,2999-01-01T00:00:00Z,,,\r\n' +
      '"two\nlines",medium,,south,"=1+1",\r\n';
    const { body } = await imported(queueId, text);
    expect(body).toEqual({ accepted: 3, rejected: 0, errors: [] });
    expect(await listed(queueId)).toMatchObject([
      {
        title: 'Invoice "4711"',
        priority: 'high',
        labels: [{ key: 'region', value: 'north' }],
        data: { customer: 'Ärger & Co', total: '12.5' },
      },
      { title: 'Second', priority: 'none', labels: [], data: null, display_status: 'postponed' },
      { title: 'two\nlines', data: { customer: '=1+1' }, labels: [{ key: 'region', value: 'south' }] },
    ]);
    const [made] = await listed(queueId);
    expect((await cases.show(made!.id)).events).toMatchObject([
      { type: 'created', actor: { type: 'credential' } },
    ]);
  });

  it('rows that are wrong are left out, and named by their line', async () => {
    const queueId = await cases.queue();
    const rows = [
      'title,priority,label:',
      'good,,',
      ',high,',
      '"a\nb",urgent,',
      '',
      'too,many,columns,here',
      `${'x'.repeat(501)},,`,
      'nul \0 byte,,',
      'last,,',
    ];
    const { body } = await imported(queueId, rows.join('\n'));
    expect(body.accepted).toBe(2);
    expect(body.rejected).toBe(5);
    expect(body.errors.map(({ line }) => line)).toEqual([3, 4, 7, 8, 9]);
    expect(body.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('title'),
      expect.stringContaining('priority'),
      expect.stringContaining('columns'),
      expect.stringContaining('title'),
      expect.stringContaining('NUL'),
    ]);
    expect((await listed(queueId)).map(({ title }) => title)).toEqual(['good', 'last']);
  });

  it('of many rows that are wrong the first hundred are named', async () => {
    const queueId = await cases.queue();
    const { body } = await imported(queueId, `title\n${',x\n'.repeat(700)}`);
    expect([body.accepted, body.rejected, body.errors.length, body.errors.at(-1)!.line]).toEqual([
      0, 700, 100, 101,
    ]);
  });

  it.each([
    ['no title', 'name\nx\n', 'no column title'],
    ['a column twice', 'title,a,a\nx\n', 'the column a is there twice'],
  ])('a header with %s is refused', async (_, text, message) => {
    const queueId = await cases.queue();
    const answer = await imported(queueId, text);
    expect([answer.status, answer.body.message]).toEqual([
      400,
      `line 1: ${message}.`.replace('no column', 'there is no column'),
    ]);
    expect(await listed(queueId)).toEqual([]);
  });

  it('each line may be a JSON object', async () => {
    const queueId = await cases.queue();
    const lines = [
      JSON.stringify({ title: 'a', data: { deep: [1, { two: null }] }, labels: [{ key: 'k', value: 'v' }] }),
      '',
      '{"title": "b", "priority": null, "data": null, "unknown": 1}\r',
      '{"title": 1}',
      'no JSON',
      '[]',
      `{"title": "deep", "data": ${'['.repeat(200)}${']'.repeat(200)}}`,
      `{"title": "long", "data": "${'x'.repeat(1024 * 1024)}"}`,
      '{"title": "c"}',
    ];
    const { body } = await imported(queueId, lines.join('\n'), 'application/x-ndjson');
    expect(body).toMatchObject({ accepted: 3, rejected: 5 });
    expect(body.errors.map(({ line }) => line)).toEqual([4, 5, 6, 7, 8]);
    expect((await listed(queueId)).map(({ title, data }) => [title, data])).toEqual([
      ['a', { deep: [1, { two: null }] }],
      ['b', null],
      ['c', null],
    ]);
  });

  it('an import that was cut off goes on where it was, and answers the whole counts', async () => {
    const queueId = await cases.queue();
    const text =
      `title\n${Array.from({ length: 1_700 }, (_, n) => (n % 100 === 7 ? '' : `case ${n}`) + ',\n').join('')}`.replace(
        'title',
        'title,note',
      );
    await runs.database.query(`
      CREATE FUNCTION runs.refuse_cases() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM runs.queue_case WHERE queue_id = '${queueId}') > 900 THEN RAISE 'cut off'; END IF;
        RETURN NEW;
      END $$`);
    await runs.database.query(
      'CREATE TRIGGER refuse_cases BEFORE INSERT ON runs.queue_case FOR EACH STATEMENT EXECUTE FUNCTION runs.refuse_cases()',
    );
    const key = uuidv7();
    await expect(imported(queueId, text, 'text/csv', key)).rejects.toMatchObject({ status: 500 });
    await runs.database.query('DROP TRIGGER refuse_cases ON runs.queue_case');
    const { body: half } = await runs.call(getQueue, { params: { queue_id: queueId } });
    expect(half.queue.case_counts.pending).toBe(990);
    const { body } = await imported(queueId, text, 'text/csv', key);
    expect([body.accepted, body.rejected, body.errors.length]).toEqual([1_683, 17, 17]);
    const { body: whole } = await runs.call(getQueue, { params: { queue_id: queueId } });
    expect(whole.queue.case_counts.pending).toBe(1_683);
    const replayed = await imported(queueId, text, 'text/csv', key);
    expect([replayed.replayed, replayed.body]).toEqual([true, body]);
    const other = await imported(queueId, 'title\nother\n', 'text/csv', key);
    expect([other.status, other.body.error]).toEqual([409, 'idempotency_conflict']);
  });

  it('without rows nothing is made, and nothing in a queue that is not there', async () => {
    const queueId = await cases.queue();
    const key = uuidv7();
    const { body } = await runs.call(importCases, { params: { queue_id: queueId }, key });
    expect(body).toEqual({ accepted: 0, rejected: 0, errors: [] });
    const again = await runs.call(importCases, { params: { queue_id: queueId }, key });
    expect([again.replayed, again.body]).toEqual([true, body]);
    const other = await imported(queueId, 'title\nother\n', 'text/csv', key);
    expect([other.status, other.body.error]).toEqual([409, 'idempotency_conflict']);
    expect((await runs.call(importCases, { params: { queue_id: uuidv7() } })).status).toBe(404);
    expect((await imported(queueId, 'title\n')).body.accepted).toBe(0);
    await expect(services.call(stageImport, { team_id: uuidv7(), queue_id: queueId })).rejects.toMatchObject({
      code: 'not_found',
    });
    const staged = await upload(queueId, 'title\nx\n');
    const stolen = await runs.call(importCases, {
      params: { queue_id: queueId },
      body: { content_type: 'text/csv' },
      upload: { ...staged, key: staged.key.replace(runs.teamId, uuidv7()) },
    });
    expect(stolen.status).toBe(404);
  });

  it('a file has all that match, oldest first, and can be imported again', async () => {
    const queueId = await cases.queue();
    const many = Array.from(
      { length: 1_100 },
      (_, n) => `case ${n},${n % 2 ? 'high' : 'none'},=${n},v${n % 3}`,
    );
    await imported(queueId, ['title,priority,note,label:kind', ...many].join('\n'));
    const csv = await exported(queueId);
    const lines = csv.split('\r\n');
    expect(lines[0]).toBe('title,priority,postponed_to,label:kind,note');
    expect(lines).toHaveLength(1_102);
    expect(lines[2]).toBe(`case 1,high,,v1,'=1`);
    const copy = await cases.queue();
    expect((await imported(copy, csv)).body).toEqual({ accepted: 1_100, rejected: 0, errors: [] });
    expect(await exported(copy)).toBe(csv);
    const high = await exported(queueId, { format: 'ndjson', priority: 'high', search: 'case 10' });
    const rows = high
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Case);
    expect(rows).toHaveLength(55);
    expect(rows[0]).toMatchObject({
      title: 'case 101',
      priority: 'high',
      status: 'pending',
      data: { note: '=101' },
    });
    expect((await runs.call(exportCases, { params: { queue_id: uuidv7() } })).status).toBe(404);
    expect(await exported(await cases.queue(), { format: 'ndjson' })).toBe('');
  });

  it('a file has what is behind a page of cases that are deleted while it is made', async () => {
    const queueId = await cases.queue();
    await imported(queueId, `title\n${Array.from({ length: 502 }, (_, n) => `case ${n}\n`).join('')}`);
    const other = new pg.Client({ connectionString: runs.database.url });
    await other.connect();
    try {
      // Cases are walked through without their labels, and shown with them.
      await other.query('BEGIN; LOCK TABLE runs.case_label_link IN ACCESS EXCLUSIVE MODE');
      const text = exported(queueId, { format: 'ndjson' });
      await eventually(async () => expect(await waitingSessions(runs.database)).toBe(1));
      await other.query(
        `DELETE FROM runs.queue_case WHERE queue_id = $1 AND title NOT IN ('case 500', 'case 501')`,
        [queueId],
      );
      await other.query('COMMIT');
      const rows = (await text).trimEnd().split('\n');
      expect(rows.map((row) => row && (JSON.parse(row) as Case).title)).toEqual(['case 500', 'case 501']);
    } finally {
      await other.end();
    }
  });

  it('a file has names in the data that are those of fields, and several labels of one key', async () => {
    const queueId = await cases.queue();
    await cases.add(
      queueId,
      {
        title: 'one',
        labels: [
          { key: 'region', value: 'north' },
          { key: 'region', value: 'south' },
          { key: 'kind', value: 'a' },
        ],
        data: { title: 'Order 7', priority: 'P1', 'label:region': 'x', 'data:title': 'y', '-x': 'z' },
      },
      { title: 'two', labels: [{ key: 'region', value: 'west' }] },
    );
    const csv = await exported(queueId);
    expect(csv.split('\r\n').slice(0, 3)).toEqual([
      "title,priority,postponed_to,label:kind,label:region,label:region,'-x,data:data:title,data:label:region,data:priority,data:title",
      'one,none,,a,north,south,z,y,x,P1,Order 7',
      'two,none,,,west,,,,,,',
    ]);
    const copy = await cases.queue();
    expect((await imported(copy, csv)).body).toEqual({ accepted: 2, rejected: 0, errors: [] });
    expect(await exported(copy)).toBe(csv);
  });

  it('a file has the columns that its own cases need, however many there are', async () => {
    const queueId = await cases.queue();
    const lines = Array.from({ length: 2_100 }, (_, n) =>
      JSON.stringify({
        title: `case ${n}`,
        priority: n === 2_099 ? 'high' : 'none',
        data: { [`of ${n % 2}`]: n },
      }),
    );
    lines.push(JSON.stringify({ title: 'last', data: { late: 1 }, labels: [{ key: 'kind', value: 'a' }] }));
    await imported(queueId, lines.join('\n'), 'application/x-ndjson');
    const headerOf = async (query: Record<string, string>) =>
      (await exported(queueId, query)).split('\r\n')[0];
    expect(await headerOf({})).toBe('title,priority,postponed_to,label:kind,late,of 0,of 1');
    expect(await headerOf({ priority: 'high' })).toBe('title,priority,postponed_to,of 1');
    expect(await headerOf({ priority: 'medium' })).toBe('title,priority,postponed_to');
  });

  it('data that is large, or no object, is exported too', async () => {
    const queueId = await cases.queue();
    const large = 'x'.repeat(300_000);
    await cases.add(
      queueId,
      { title: 'one', data: { large } },
      { title: 'two', data: [1, 2] },
      { title: 'three', data: { large } },
    );
    const rows = (await exported(queueId, { format: 'ndjson' })).trimEnd().split('\n');
    expect(rows.map((line) => (JSON.parse(line) as Case).title)).toEqual(['one', 'two', 'three']);
    expect((await exported(queueId)).split('\r\n').map((line) => line.length)).toEqual([
      'title,priority,postponed_to,large'.length,
      'one,none,,'.length + large.length,
      'two,none,,'.length,
      'three,none,,'.length + large.length,
      0,
    ]);
  });
});
