import {
  createCases,
  exportCases,
  linkCaseLabels,
  listAgentCaseTriggers,
  listCases,
  searchCases,
  updateCase,
  updateCaseTrigger,
  type Case,
} from '@aos/contracts';
import { casesClient, type CasesClient } from './cases-under-test.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

describe('cases of clients of other platforms', () => {
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

  it('are listed and found by when they were made and changed, to the millisecond', async () => {
    const queueId = await cases.queue();
    const made = await cases.add(queueId, 'a', 'b', 'c');
    const times = ['2026-07-01T00:00:00.000Z', '2026-07-02T00:00:00.000Z', '2026-07-03T00:00:00.000Z'];
    for (const [index, { id }] of made.entries()) {
      await runs.database.query(
        `UPDATE runs.queue_case SET created_at = $2, updated_at = $2::timestamptz + interval '1 year' WHERE id = $1`,
        [id, times[index]],
      );
    }
    const later = (time: string) => time.replace('2026', '2027');
    for (const [filters, titles] of [
      [{ created_at_from: times[1]! }, ['c', 'b']],
      [{ created_at_to: times[1]! }, ['b', 'a']],
      [{ created_at_from: times[1]!, created_at_to: times[1]! }, ['b']],
      [{ updated_at_from: later(times[2]!) }, ['c']],
      [{ updated_at_to: later(times[0]!), priority: 'none' }, ['a']],
      [{ created_at_to: '2026-06-30T23:59:59.999Z' }, []],
    ] as [Record<string, string>, string[]][]) {
      expect(await list(queueId, filters)).toEqual({ total: titles.length, titles });
      const { priority, ...moments } = filters;
      const found = await search(queueId, {
        filters: { ...moments, ...(priority ? { priority: [priority] } : {}) },
      });
      expect(found).toEqual({ total: titles.length, titles });
    }
    const bad = await runs.call(listCases, {
      params: { queue_id: queueId },
      query: { updated_at_to: 'yesterday' },
    });
    expect([bad.status, bad.body.message]).toEqual([400, expect.stringContaining('updated_at_to: ')]);
  });

  it('are listed by when they come back, those that are not postponed last', async () => {
    const queueId = await cases.queue();
    const [first] = await cases.add(
      queueId,
      { title: 'done' },
      { title: 'next year', postponed_to: '2998-01-01T00:00:00Z', priority: 'high' },
      { title: 'plain' },
      { title: 'later', postponed_to: '2999-01-01T00:00:00Z' },
      { title: 'back', postponed_to: '2020-01-01T00:00:00Z' },
    );
    await settle(first!.id, 'completed');
    const sorted = { sort_by: 'postponed_to' };
    const upwards = ['back', 'next year', 'later', 'done', 'plain'];
    expect((await list(queueId, { ...sorted, sort_order: 'asc' })).titles).toEqual(upwards);
    expect((await list(queueId, sorted)).titles).toEqual(['later', 'next year', 'back', 'plain', 'done']);
    expect((await search(queueId, { ...sorted, sort_order: 'asc' })).titles).toEqual(upwards);
    const pages = await Promise.all(
      upwards.map((_, offset) =>
        list(queueId, { ...sorted, sort_order: 'asc', limit: '1', offset: `${offset}` }),
      ),
    );
    expect(pages.flatMap(({ titles }) => titles)).toEqual(upwards);
    expect((await list(queueId, { ...sorted, status: 'postponed' })).titles).toEqual(['later', 'next year']);
  });

  it('that runs have are claimed, in lists, searches and exports', async () => {
    const queueId = await cases.queue();
    const agentId = await runs.agent(['ask Which?', 'finish ok']);
    await cases.trigger(agentId, queueId, { concurrency: 1 });
    const [asked] = await cases.add(queueId, 'asked');
    await cases.reach(asked!.id, 'needs_input');
    const busy = await runs.agent(['wait 600000', 'finish ok']);
    await cases.trigger(busy, queueId, { concurrency: 1 });
    const triggers = await runs.call(listAgentCaseTriggers, { params: { agent_id: agentId } });
    await runs.call(updateCaseTrigger, {
      params: { agent_id: agentId, trigger_id: triggers.body.case_triggers[0]!.id },
      body: { enabled: false },
    });
    const [taken] = await cases.add(queueId, 'taken');
    await cases.reach(taken!.id, 'in_progress');
    await cases.add(queueId, 'free');
    const claimed = { total: 2, titles: ['asked', 'taken'] };
    expect(await list(queueId, { status: 'claimed', sort_order: 'asc' })).toEqual(claimed);
    expect(await search(queueId, { filters: { status: ['claimed'] }, sort_order: 'asc' })).toEqual(claimed);
    expect((await list(queueId, { status: 'claimed,pending' })).total).toBe(3);
    const { body } = await runs.call(exportCases, {
      params: { queue_id: queueId },
      query: { format: 'ndjson', status: 'claimed' },
    });
    const rows = body.text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Case).title);
    expect(rows).toEqual(['asked', 'taken']);
  });

  it('take labels as strings wherever labels are given', async () => {
    const queueId = await cases.queue();
    const params = { queue_id: queueId };
    const body = { case: { title: 'labelled', labels: ['urgent', { key: 'region', value: 'north' }] } };
    const { body: made } = await runs.call(createCases, { params, body });
    const [added] = made.added_cases as Case[];
    const named = (labels: readonly { key: string; value: string }[]) =>
      labels.map(({ key, value }) => [key, value]);
    expect(named(added!.labels)).toEqual([
      ['region', 'north'],
      ['urgent', ''],
    ]);
    const { body: linked } = await runs.call(linkCaseLabels, {
      params: { queue_id: queueId, case_id: added!.id },
      body: { labels: ['seen'] },
    });
    expect(named(linked.labels)).toContainEqual(['seen', '']);
    const { body: changed } = await runs.call(updateCase, {
      params: { case_id: added!.id },
      body: { labels: ['only'] },
    });
    expect(named(changed.case.labels)).toEqual([['only', '']]);
    const empty = await runs.call(createCases, { params, body: { case: { title: 'x', labels: [''] } } });
    expect([empty.status, empty.body.message]).toEqual([400, expect.stringContaining('case.labels.0.key')]);
  });
});
