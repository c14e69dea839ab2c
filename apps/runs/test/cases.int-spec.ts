import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Case,
  createCaseLabel,
  createCases,
  deleteCase,
  deleteCaseLabel,
  linkCaseLabels,
  listCaseLabels,
  listCases,
  listLabelsOfCase,
  type Operation,
  searchCases,
  unlinkCaseLabels,
  updateCase,
  updateCaseLabel,
} from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { eventually, waitingSessions } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { handOverClaimed } from '../src/cases/case-parts.sql.js';
import { casesClient, type CasesClient } from './cases-under-test.js';
import { type RunsUnderTest, startRuns } from './runs-under-test.js';

/** Calls outside of the transaction in which it is called. */
const detached = AsyncLocalStorage.snapshot();

describe('cases', () => {
  let runs: RunsUnderTest;
  let cases: CasesClient;

  beforeAll(async () => {
    runs = await startRuns();
    cases = casesClient(runs);
  });

  afterAll(() => runs?.stop());

  const titlesOf = (body: { cases: readonly unknown[] }) => (body.cases as Case[]).map(({ title }) => title);

  async function list(queueId: string, query: Record<string, string> = {}) {
    const { status, body, text } = await runs.call(listCases, { params: { queue_id: queueId }, query });
    if (status !== 200) throw new Error(text);
    return { total: body.total, titles: titlesOf(body) };
  }

  async function search(queueId: string, body: object) {
    const answer = await runs.call(searchCases, { params: { queue_id: queueId }, body });
    if (answer.status !== 200) throw new Error(answer.text);
    return { total: answer.body.total, titles: titlesOf(answer.body) };
  }

  const settle = (caseId: string, status: string) =>
    runs.call(updateCase, { params: { case_id: caseId }, body: { status } });

  it('are made one or many at a time, in order, once for a key', async () => {
    const queueId = await cases.queue();
    const params = { queue_id: queueId };
    const { body: one } = await runs.call(createCases, { params, body: { case: { title: 'one' } } });
    expect(one.added_cases).toMatchObject([
      {
        queue_id: queueId,
        title: 'one',
        data: null,
        status: 'pending',
        display_status: 'pending',
        priority: 'none',
        labels: [],
        claimed_by_run_id: null,
        claimed_at: null,
        postponed_to: null,
        completed_at: null,
        pending_human_request_id: null,
      },
    ]);
    const body = { cases: Array.from({ length: 100 }, (_, n) => ({ title: `case ${n}`, data: { n } })) };
    const first = await runs.call(createCases, { params, body, key: 'hundred' });
    expect((first.body.added_cases as Case[]).map(({ data }) => data)).toEqual(
      body.cases.map(({ data }) => data),
    );
    const again = await runs.call(createCases, { params, body, key: 'hundred' });
    expect([again.text, again.replayed]).toEqual([first.text, true]);
    expect((await list(queueId)).total).toBe(101);
  });

  it.each([
    ['neither', {}, 'exactly one'],
    ['both', { case: { title: 'a' }, cases: [{ title: 'b' }] }, 'exactly one'],
    ['none', { cases: [] }, 'cases'],
    ['too many', { cases: Array.from({ length: 101 }, () => ({ title: 'a' })) }, 'cases'],
    ['no title', { case: { data: 1 } }, 'case.title'],
    ['a title that is too long', { case: { title: 'x'.repeat(501) } }, 'case.title'],
    ['a priority that is none', { cases: [{ title: 'a', priority: 'urgent' }] }, 'cases.0.priority'],
    [
      'too many labels',
      { case: { title: 'a', labels: Array.from({ length: 51 }, (_, n) => ({ key: 'k', value: `${n}` })) } },
      'case.labels',
    ],
    ['a moment that is none', { case: { title: 'a', postponed_to: 'tomorrow' } }, 'case.postponed_to'],
  ])('are refused: %s', async (_, body, named) => {
    const answer = await runs.call(createCases, { params: { queue_id: await cases.queue() }, body });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(named)]);
  });

  it.each([null, 1, 'text', false, [1, [2]], { a: null, b: { c: [] } }, ''])(
    'keep their data: %j',
    async (data) => {
      const [made] = await cases.add(await cases.queue(), { title: 'data', data });
      expect(made!.data).toEqual(data);
      expect((await cases.show(made!.id)).case.data).toEqual(data);
    },
  );

  it('are listed by what they are, with an exact total', async () => {
    const queueId = await cases.queue();
    const made = await cases.add(
      queueId,
      'a',
      { title: 'b', priority: 'high' },
      { title: 'c', priority: 'medium' },
      { title: 'd', postponed_to: '2999-01-01T00:00:00Z' },
      { title: 'e', priority: 'high' },
    );
    await settle(made[0]!.id, 'completed');
    await settle(made[4]!.id, 'failed');
    expect(await list(queueId)).toEqual({ total: 5, titles: ['e', 'd', 'c', 'b', 'a'] });
    expect(await list(queueId, { limit: '2', offset: '1' })).toEqual({ total: 5, titles: ['d', 'c'] });
    expect(await list(queueId, { offset: '9' })).toEqual({ total: 5, titles: [] });
    expect(await list(queueId, { sort_order: 'asc', limit: '2' })).toEqual({ total: 5, titles: ['a', 'b'] });
    expect(await list(queueId, { sort_by: 'updated_at', limit: '2' })).toEqual({
      total: 5,
      titles: ['e', 'a'],
    });
    expect((await list(queueId, { sort_by: 'priority' })).titles).toEqual(['b', 'e', 'c', 'a', 'd']);
    expect((await list(queueId, { sort_by: 'priority', sort_order: 'asc' })).titles).toEqual([
      'd',
      'a',
      'c',
      'e',
      'b',
    ]);
    expect(await list(queueId, { status: 'pending', limit: '1' })).toEqual({ total: 3, titles: ['d'] });
    expect(await list(queueId, { status: 'completed,failed' })).toEqual({ total: 2, titles: ['e', 'a'] });
    expect(await list(queueId, { status: 'postponed' })).toEqual({ total: 1, titles: ['d'] });
    // A page that is full, of one status that no ledger has: the total is counted.
    expect(await list(queueId, { status: 'postponed', limit: '1' })).toEqual({ total: 1, titles: ['d'] });
    expect(await list(queueId, { status: 'in_progress,needs_input' })).toEqual({ total: 0, titles: [] });
    expect(await list(queueId, { status: 'pending,postponed', priority: 'none' })).toEqual({
      total: 1,
      titles: ['d'],
    });
    expect(await list(queueId, { priority: 'high,medium', limit: '1' })).toEqual({ total: 3, titles: ['e'] });
    expect((await runs.call(listCases, { params: { queue_id: uuidv7() } })).status).toBe(404);
  });

  it.each([
    ['one letter', 'ж', ['Жалоба']],
    ['one letter of no alphabet', '紙', ['paper']],
    ['two letters', 'ab', ['ABBA', 'cabs']],
    ['any case', 'abba', ['ABBA']],
    ['letters that are put together in another way', 'A\u0308rger', ['Ärger']],
    ['a wildcard', '%', ['100 %']],
    ['another wildcard', '_', ['under_score']],
    ['a backslash', '\\', ['back\\slash']],
    ['a quote', `'`, [`it's`]],
    ['values of the data, however deep', 'deep down', ['nested']],
    ['numbers of the data', '4711', ['number']],
    ['no names of fields', 'secret_field', []],
    ['many letters', 'straße nach süden', ['Die Straße nach Süden']],
  ])('are found by %s', async (_, text, titles) => {
    const queueId = await searchable();
    const found = await list(queueId, { search: text, sort_order: 'asc' });
    expect(found).toEqual({ total: titles.length, titles });
    expect(await search(queueId, { search: text, sort_order: 'asc' })).toEqual(found);
  });

  let searched: Promise<string> | undefined;
  function searchable(): Promise<string> {
    searched ??= (async () => {
      const queueId = await cases.queue();
      await cases.add(
        queueId,
        'Жалоба',
        'ABBA',
        'cabs',
        'Ärger',
        '100 %',
        'under_score',
        'back\\slash',
        `it's`,
        { title: 'nested', data: { secret_field: [{ text: 'Deep down' }] } },
        { title: 'number', data: { n: 4711 } },
        { title: 'paper', data: '紙' },
        'Die Straße nach Süden',
      );
      // Another queue has the same, and is not searched.
      await cases.add(await cases.queue(), 'Жалоба', 'ABBA', '100 %');
      return queueId;
    })();
    return searched;
  }

  it('are found by filters, which all must hold', async () => {
    const queueId = await cases.queue();
    const label = (key: string, value: string) => ({ key, value });
    const made = await cases.add(
      queueId,
      { title: 'north 1', labels: [label('region', 'north'), label('kind', 'a')], priority: 'high' },
      { title: 'north 2', labels: [label('region', 'north')] },
      { title: 'south', labels: [label('region', 'south'), label('kind', 'a')] },
      'none',
    );
    const found = async (body: object) => (await search(queueId, { ...body, sort_order: 'asc' })).titles;
    expect(await found({ filters: { labels: { region: ['north'] } } })).toEqual(['north 1', 'north 2']);
    expect(await found({ filters: { labels: { region: ['north', 'south'], kind: ['a'] } } })).toEqual([
      'north 1',
      'south',
    ]);
    expect(await found({ filters: { priority: ['high'], labels: { region: ['north'] } } })).toEqual([
      'north 1',
    ]);
    expect(await found({ search: 'north', filters: { labels: { kind: ['a'] } } })).toEqual(['north 1']);
    expect(await found({ filters: { created_at_from: '2999-01-01T00:00:00Z' } })).toEqual([]);
    await settle(made[3]!.id, 'completed');
    const { case: last } = await cases.show(made[3]!.id);
    expect(await found({ filters: { updated_at_from: last.updated_at } })).toContain('none');
    expect(await search(queueId, { filters: { labels: { region: ['north'] } }, limit: 1 })).toEqual({
      total: 2,
      titles: ['north 2'],
    });
  });

  it('are changed, and their history says by whom and why', async () => {
    const queueId = await cases.queue();
    const [made] = await cases.add(queueId, { title: 'before', data: { a: 1 } });
    const params = { case_id: made!.id };
    const { body } = await runs.call(updateCase, {
      params,
      body: {
        title: 'after',
        data: null,
        priority: 'high',
        labels: [{ key: 'k', value: 'v' }],
        postponed_to: '2999-01-01T00:00:00Z',
        reason: 'mistyped',
      },
    });
    expect(body.case).toMatchObject({
      title: 'after',
      data: null,
      priority: 'high',
      labels: [{ key: 'k', value: 'v' }],
      display_status: 'postponed',
      postponed_to: '2999-01-01T00:00:00.000Z',
    });
    expect((await cases.show(made!.id)).events.at(-1)).toMatchObject({
      type: 'postponed',
      reason: 'mistyped',
      actor: { type: 'credential', id: expect.any(String) },
    });
    expect(await list(queueId, { search: 'before' })).toEqual({ total: 0, titles: [] });
    expect(await list(queueId, { search: 'after', priority: 'high' })).toEqual({
      total: 1,
      titles: ['after'],
    });
    const { body: back } = await runs.call(updateCase, { params, body: { postponed_to: null, labels: [] } });
    expect(back.case).toMatchObject({ postponed_to: null, labels: [], display_status: 'pending' });
    const { body: same } = await runs.call(updateCase, { params });
    expect(same.case.updated_at).toBe(back.case.updated_at);
    await settle(made!.id, 'failed');
    const late = await runs.call(updateCase, { params, body: { postponed_to: '2999-01-01T00:00:00Z' } });
    expect([late.status, late.body.error]).toEqual([409, 'invalid_state']);
    expect(await cases.history(made!.id)).toEqual(['created', 'postponed', 'updated', 'failed']);
  });

  /** Calls while the case is handed over, so that it is found in the one queue and waited for, and is then in the other. */
  async function whileHandedOver<T>(caseId: string, queueId: string, call: () => Promise<T>): Promise<T> {
    const transactions = runs.running.app.get(Transactions);
    let answer!: Promise<T>;
    await transactions.run(async () => {
      await transactions.query(handOverClaimed, [caseId, queueId]);
      answer = detached(call);
      await eventually(async () => expect(await waitingSessions(runs.database)).toBe(1));
    });
    return answer;
  }

  it('are deleted and settled in the queue to which they are handed over meanwhile', async () => {
    const [from, to] = [await cases.queue(), await cases.queue()];
    const [gone, done] = await cases.add(from, 'gone', 'done');
    const deletion = () => runs.call(deleteCase, { params: { case_id: gone!.id } });
    expect((await whileHandedOver(gone!.id, to, deletion)).status).toBe(200);
    const { status, body } = await whileHandedOver(done!.id, to, () => settle(done!.id, 'completed'));
    expect([status, body.status, (body.case as Case).queue_id]).toEqual([200, 'completed', to]);
    expect([await list(from), await list(to)]).toEqual([
      { total: 0, titles: [] },
      { total: 1, titles: ['done'] },
    ]);
    expect((await deletion()).status).toBe(404);
  });

  it('have labels, which belong to their queue', async () => {
    const queueId = await cases.queue();
    const [made] = await cases.add(queueId, { title: 'one', labels: [{ key: 'k', value: 'v' }] });
    const ofQueue = { params: { queue_id: queueId } };
    const ofCase = { params: { queue_id: queueId, case_id: made!.id } };
    const { body: label } = await runs.call(createCaseLabel, {
      ...ofQueue,
      body: { key: 'z', value: '', color_hue: 359 },
    });
    expect(label.label).toMatchObject({ key: 'z', value: '', color_hue: 359, case_count: 0 });
    const round = { key: 'round', value: '', color_hue: 360 };
    const { body: full } = await runs.call(createCaseLabel, { ...ofQueue, body: round });
    expect(full.label.color_hue).toBe(0);
    const label_id = full.label_id;
    const turn = (hue: number) =>
      runs.call(updateCaseLabel, {
        params: { queue_id: queueId, label_id },
        body: { color_hue: hue },
      });
    expect([(await turn(90)).body.label.color_hue, (await turn(360)).body.label.color_hue]).toEqual([90, 0]);
    await runs.call(deleteCaseLabel, { params: { queue_id: queueId, label_id } });
    const again = await runs.call(createCaseLabel, { ...ofQueue, body: { key: 'z', value: '' } });
    expect([again.status, again.body.error]).toEqual([409, 'already_exists']);
    const bad = await runs.call(createCaseLabel, {
      ...ofQueue,
      body: { key: 'z', value: 'x', color_hue: 361 },
    });
    expect([bad.status, bad.body.message]).toEqual([400, expect.stringContaining('color_hue')]);
    const { body: linked } = await runs.call(linkCaseLabels, {
      ...ofCase,
      body: {
        labels: [
          { key: 'z', value: '' },
          { key: 'new', value: 'one' },
          { key: 'k', value: 'v' },
        ],
      },
    });
    expect(linked.labels.map(({ key }) => key)).toEqual(['k', 'new', 'z']);
    const { body: all } = await runs.call(listCaseLabels, ofQueue);
    expect([all.total, all.labels.map(({ key, case_count: count }) => [key, count])]).toEqual([
      3,
      [
        ['k', 1],
        ['new', 1],
        ['z', 1],
      ],
    ]);
    const one = { params: { queue_id: queueId, label_id: label.label_id } };
    const { body: changed } = await runs.call(updateCaseLabel, { ...one, body: { key: 'a' } });
    expect(changed.label).toMatchObject({ key: 'a', value: '', color_hue: 359, case_count: 1 });
    const clash = await runs.call(updateCaseLabel, { ...one, body: { key: 'k', value: 'v' } });
    expect(clash.status).toBe(409);
    const { body: unlinked } = await runs.call(unlinkCaseLabels, {
      ...ofCase,
      body: { label_ids: [linked.labels[1]!.id, uuidv7()] },
    });
    expect(unlinked.labels.map(({ key }) => key)).toEqual(['a', 'k']);
    expect((await runs.call(deleteCaseLabel, one)).body).toEqual({ success: true });
    expect((await runs.call(deleteCaseLabel, one)).status).toBe(404);
    const { body: left } = await runs.call(listLabelsOfCase, ofCase);
    expect(left.labels.map(({ key }) => key)).toEqual(['k']);
    const many = Array.from({ length: 50 }, (_, n) => ({ key: 'many', value: String(n) }));
    const over = await runs.call(linkCaseLabels, { ...ofCase, body: { labels: many } });
    expect([over.status, over.body.error]).toEqual([409, 'limit_reached']);
    const elsewhere = { params: { queue_id: await cases.queue(), case_id: made!.id } };
    const operations: Operation[] = [listLabelsOfCase, linkCaseLabels, unlinkCaseLabels];
    for (const operation of operations) {
      const body = { labels: [{ key: 'a', value: 'b' }], label_ids: [uuidv7()] };
      expect((await runs.call(operation, { ...elsewhere, body })).status).toBe(404);
    }
  });

  it('get the same labels, whoever makes them at the same time', async () => {
    const queueId = await cases.queue();
    const labels = Array.from({ length: 20 }, (_, n) => ({ key: 'k', value: String(n) }));
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        cases.add(queueId, { title: `case ${n}`, labels: n % 2 ? labels : labels.toReversed() }),
      ),
    );
    const { body } = await runs.call(listCaseLabels, { params: { queue_id: queueId } });
    expect(body.labels.map(({ case_count: count }) => count)).toEqual(labels.map(() => 8));
  });
});
