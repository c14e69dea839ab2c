import {
  hasEnded,
  severities,
  listRuns,
  runSources,
  runStatuses,
  runStatusGroups,
  type RunStatus,
} from '@aos/contracts';
import { schemaDrift } from '@aos/testing';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import type { RunListService } from '../src/lifecycle/run-list/run-list.service.js';
import type { RunListQuery } from '../src/lifecycle/run-list/run-filters.js';
import type { RunEntity } from '../src/run-core/run.entity.js';
import { createRunTables, listOfRuns, insertRuns, runRow, runTables, type RunTables } from './run-rows.js';

const sorts = ['created_at', 'started_at', 'completed_at'] as const;
const orders = ['asc', 'desc'] as const;
const seconds = 12;
const at = (second: number) => new Date(Date.parse('2026-03-01T00:00:00Z') + second * 1000);

const [team, otherTeam] = [uuidv7(), uuidv7()];
const [agents, users, queues] = [ids(3), ids(2), ids(2)];

function ids(count: number): string[] {
  return Array.from({ length: count }, uuidv7);
}

const titles = [
  'Weekly REPORT',
  'weekly report',
  '50% off',
  '50 off',
  'a_b',
  'aXb',
  'C:\\temp',
  'Über uns',
  'x',
];

/** Many runs at few moments, so that most of them tie with others. */
const anyRun = fc
  .record({
    team_id: fc.constantFrom(team, team, team, otherTeam),
    agent_id: fc.constantFrom(...agents),
    user_id: fc.constantFrom(null, ...users),
    case_queue_id: fc.constantFrom(null, ...queues),
    source: fc.constantFrom(...runSources),
    status: fc.constantFrom(...runStatuses),
    title: fc.constantFrom(...titles),
    issue_severity: fc.constantFrom(null, ...severities),
    has_issues: fc.constantFrom(null, false, true),
    created: fc.nat(seconds),
    waited: fc.nat(seconds),
    worked: fc.nat(seconds),
    neverStarted: fc.boolean(),
  })
  .map(({ created, waited, worked, neverStarted, ...fields }): RunEntity => {
    const mayBeNew = fields.status === 'stopped' || fields.status === 'running';
    const started = fields.status === 'pending' || (mayBeNew && neverStarted) ? null : at(created + waited);
    return runRow({
      ...fields,
      created_at: at(created),
      started_at: started,
      completed_at: hasEnded(fields.status) ? at(created + waited + worked) : null,
    });
  });

const names = [...runStatuses, ...Object.keys(runStatusGroups)];
const moment = fc.integer({ min: -1, max: 3 * seconds + 1 }).map((second) => at(second).toISOString());

const anyFilter = {
  status: fc.subarray(names, { minLength: 1 }).map((list) => list.join()),
  agent_id: fc.constantFrom(...agents, uuidv7()),
  user_id: fc.constantFrom(...users),
  case_queue_id: fc.constantFrom(...queues),
  source: fc.constantFrom(...runSources),
  search: fc.constantFrom(...titles, 'EK', '%', '_', '\\', 'ÜBER', 'nothing'),
  since: moment,
  until: moment,
  has_issues: fc.constantFrom('true', 'false'),
  issue_severity: fc.constantFrom(...severities),
  count_only: fc.constantFrom('true', 'false'),
};

// A few at a time: all at once match nothing.
const anyQuery = fc
  .record({
    filter: fc.record(anyFilter),
    kept: fc.subarray(Object.keys(anyFilter), { maxLength: 4 }),
    sort_by: fc.constantFrom(...sorts),
    sort_order: fc.constantFrom(...orders),
    limit: fc.constantFrom('1', '7', '100', '100'),
    offset: fc.constantFrom('0', '3', '50', '100', '500'),
  })
  .map(({ filter, kept, ...page }) => {
    const entries = Object.entries(filter).filter(([name]) => kept.includes(name));
    return parse({ ...Object.fromEntries(entries), ...page });
  });

function parse(query: Record<string, string>): RunListQuery {
  return listRuns.query.parse(query);
}

/** The same list, made as plainly as can be. */
function expectedList(runs: readonly RunEntity[], teamId: string, query: RunListQuery) {
  const statuses = query.status?.flatMap((name): readonly string[] =>
    name in runStatusGroups ? runStatusGroups[name as keyof typeof runStatusGroups] : [name],
  );
  const matching = runs.filter((run) => {
    const moment = hasEnded(run.status) ? run.completed_at! : run.created_at;
    return (
      run.team_id === teamId &&
      (!statuses || statuses.includes(run.status)) &&
      (!query.agent_id || run.agent_id === query.agent_id) &&
      (!query.user_id || run.user_id === query.user_id) &&
      (!query.case_queue_id || run.case_queue_id === query.case_queue_id) &&
      (!query.source || run.source === query.source) &&
      (!query.search || run.title.toLowerCase().includes(query.search.toLowerCase())) &&
      (!query.since || moment >= new Date(query.since)) &&
      (!query.until || moment < new Date(query.until)) &&
      (query.has_issues === undefined || (run.has_issues ?? false) === query.has_issues) &&
      (!query.issue_severity || run.issue_severity === query.issue_severity)
    );
  });
  const sign = query.sort_order === 'asc' ? 1 : -1;
  const sorted = matching.toSorted((a, b) => {
    const [first, second] = [a[query.sort_by]?.getTime(), b[query.sort_by]?.getTime()];
    if (first === second) return a.id < b.id ? -sign : sign;
    if (first === undefined || second === undefined) return first === undefined ? 1 : -1;
    return (first - second) * sign;
  });
  const page = query.count_only ? [] : sorted.slice(query.offset, query.offset + query.limit);
  return { ids: page.map(({ id }) => id), total: matching.length };
}

describe('the list of runs', () => {
  let tables: RunTables;
  let list: RunListService;

  beforeAll(async () => {
    tables = await createRunTables();
    list = listOfRuns(tables);
  });

  afterAll(() => tables?.drop());

  const listed = async (teamId: string, query: RunListQuery) => {
    const { runs, total } = await list.find(teamId, query);
    return { ids: runs.map(({ id }) => id), total };
  };
  const insertAll = async (rows: readonly Partial<RunEntity>[]) => {
    const teamId = uuidv7();
    const runs = rows.map((fields) => runRow({ ...fields, team_id: teamId }));
    await insertRuns(tables, runs);
    return { teamId, runs };
  };

  it('reads tables that are what the entities say', async () => {
    expect(await schemaDrift(runTables, tables.database.url)).toEqual([]);
  });

  it('is what a plain filter, sort and cut would make of all runs', async () => {
    const runs = fc.sample(anyRun, { numRuns: 250, seed: 2026 });
    await insertRuns(tables, runs);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(anyQuery, fc.constantFrom(team, team, otherTeam), async (query, teamId) => {
        const expected = expectedList(runs, teamId, query);
        expect(await listed(teamId, query)).toEqual(expected);
        found += expected.total;
      }),
      { numRuns: 400 },
    );
    expect(found).toBeGreaterThan(1_000);
  });

  describe.each(sorts)('by %s', (sort_by) => {
    it.each(orders)('%s: shows each run once, page after page', async (sort_order) => {
      const runs = fc.sample(anyRun, { numRuns: 60, seed: 7 }).map((run) => ({ ...run, id: uuidv7() }));
      const { teamId } = await insertAll(runs);
      const seen: string[] = [];
      for (let offset = 0; offset < runs.length; offset += 7) {
        const query = { ...parse({ sort_by, sort_order, limit: '7' }), offset };
        const page = await listed(teamId, query);
        expect(page.total).toBe(60);
        seen.push(...page.ids);
      }
      expect(seen.toSorted()).toEqual(runs.map(({ id }) => id).toSorted());
      expect(seen).toEqual((await listed(teamId, parse({ sort_by, sort_order, limit: '100' }))).ids);
    });
  });

  it('puts runs without a time last in both directions, and ties by their ids', async () => {
    const times = (started: number | null, completed: number | null) => ({
      created_at: at(0),
      started_at: started === null ? null : at(started),
      completed_at: completed === null ? null : at(completed),
    });
    const { teamId, runs } = await insertAll([
      { status: 'completed', ...times(1, 5) },
      { status: 'failed', ...times(1, 5) },
      { status: 'stopped', ...times(null, 4) },
      { status: 'pending', ...times(null, null) },
      { status: 'running', ...times(2, null) },
      { status: 'running', ...times(null, null) },
    ]);
    const inOrder = async (sort_by: string, sort_order: string) => {
      const { ids } = await listed(teamId, parse({ sort_by, sort_order }));
      return ids.map((id) => runs.findIndex((run) => run.id === id));
    };
    expect(await inOrder('created_at', 'asc')).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await inOrder('created_at', 'desc')).toEqual([5, 4, 3, 2, 1, 0]);
    expect(await inOrder('started_at', 'asc')).toEqual([0, 1, 4, 2, 3, 5]);
    expect(await inOrder('started_at', 'desc')).toEqual([4, 1, 0, 5, 3, 2]);
    expect(await inOrder('completed_at', 'asc')).toEqual([2, 0, 1, 3, 4, 5]);
    expect(await inOrder('completed_at', 'desc')).toEqual([1, 0, 2, 5, 4, 3]);
  });

  it('belongs to one team, whatever is asked for', async () => {
    const shared = {
      agent_id: uuidv7(),
      user_id: uuidv7(),
      title: 'a shared title',
      status: 'failed' as RunStatus,
    };
    const times = { created_at: at(0), started_at: at(0), completed_at: at(1) };
    const { teamId } = await insertAll([{ ...shared, ...times }]);
    await insertAll([{ ...shared, ...times }]);
    const queries: Record<string, string>[] = [
      {},
      { agent_id: shared.agent_id, user_id: shared.user_id },
      { search: 'shared', sort_by: 'started_at' },
    ];
    for (const query of queries) {
      expect((await listed(teamId, parse(query))).total).toBe(1);
      expect((await listed(teamId, parse({ ...query, count_only: 'true' }))).total).toBe(1);
      expect(await listed(uuidv7(), parse(query))).toEqual({ ids: [], total: 0 });
    }
  });

  it('takes what is searched for by its letters', async () => {
    const texts = ['100%', '100 %', 'a_b', 'axb', 'back\\slash', `it's "quoted" $1 --`, 'ÄRGER 👩‍👩‍👧‍👦', 'zero'];
    const { teamId } = await insertAll(texts.map((title) => ({ title })));
    const found = async (search: string) => {
      const { runs } = await list.find(teamId, parse({ search, sort_order: 'asc' }));
      return runs.map(({ title }) => title);
    };
    for (const text of texts) expect(await found(text)).toEqual([text]);
    expect(await found('%')).toEqual(['100%', '100 %']);
    expect(await found('_')).toEqual(['a_b']);
    expect(await found('\\')).toEqual(['back\\slash']);
    expect(await found('ärger 👩')).toEqual(['ÄRGER 👩‍👩‍👧‍👦']);
    expect(await found('zer\0')).toEqual([]);
    expect(await found(`'; DROP TABLE run; --`)).toEqual([]);
    expect(await found('\ud800')).toEqual([]);
  });

  it('answers with what the run shows', async () => {
    const { teamId, runs } = await insertAll([
      { title: 'Shown', metadata: { ticket: 'A-1' }, input_tokens: '12' },
    ]);
    const { runs: shown } = await list.find(teamId, parse({}));
    expect(shown).toEqual([
      expect.objectContaining({ id: runs[0]!.id, title: 'Shown', metadata: { ticket: 'A-1' } }),
    ]);
    expect(shown[0]).not.toHaveProperty('lease_token');
  });
});
