import { listRuns, runStatuses } from '@aos/contracts';
import { runFilterOf, type RunOrder } from './run-filters.js';
import { runPageQuery } from './run-page.sql.js';

const team = '01890000-0000-7000-8000-000000000001';
const agent = '01890000-0000-7000-8000-00000000000a';
const page = { limit: 20, offset: 40 };
const newest: RunOrder = { by: 'created_at', direction: 'desc' };

const queryOf = (query: Record<string, string>, order = newest) =>
  runPageQuery(team, runFilterOf(listRuns.query.parse(query)), order, page);
/** The branches of a query, by their statuses. */
const branchesOf = (sql: string) =>
  [
    ...sql.matchAll(
      /\(SELECT id, (\w+) AS key FROM run WHERE (.*?status = '(\w+)'.*?)\s+ORDER BY (.*?) LIMIT/gs,
    ),
  ].map(([, key, where, status, order]) => ({ key, where: where!, status: status!, order }));
const statusesOf = (sql: string) => branchesOf(sql).map(({ status }) => status);

describe('the query of a page of runs', () => {
  it('reads each wanted status in order, and no more than lies before and in the page', () => {
    const { sql, parameters } = queryOf({});
    expect(statusesOf(sql)).toEqual(runStatuses);
    expect(branchesOf(sql).every(({ order }) => order === 'created_at desc, id desc')).toBe(true);
    expect(sql.match(/LIMIT 60\)/g)).toHaveLength(runStatuses.length);
    expect(sql).toContain('LIMIT 20 OFFSET 40');
    expect(parameters).toEqual([team]);
    expect(statusesOf(queryOf({ status: 'needs_attention' }).sql)).toEqual(['waiting', 'failed']);
  });

  it('names the team in every branch, and binds every value', () => {
    const search = `x' OR 1=1 --`;
    const { sql, parameters } = queryOf({ agent_id: agent, issue_severity: 'low', search });
    expect(branchesOf(sql).every(({ where }) => where.startsWith('team_id = $1 AND'))).toBe(true);
    expect(branchesOf(sql).every(({ where }) => where.includes('agent_id = $2'))).toBe(true);
    expect(sql).not.toContain('OR 1=1');
    expect(parameters).toEqual([team, agent, 'low', `%x' or 1=1 --%`]);
  });

  it('compares the end of what has ended, and the creation of what is open', () => {
    const { sql, parameters } = queryOf({
      status: 'running,failed',
      since: '2026-01-01T00:00:00Z',
      until: '2026-02-01T00:00:00Z',
    });
    const [running, failed] = branchesOf(sql);
    expect(running!.where).toBe(
      `team_id = $1 AND status = 'running' AND created_at >= $2 AND created_at < $3`,
    );
    expect(failed!.where).toBe(
      `team_id = $1 AND status = 'failed' AND completed_at >= $2 AND completed_at < $3 AND created_at < $3`,
    );
    expect(parameters.slice(1)).toEqual(['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']);
  });

  it('looks at runs that have not started after those that have, and only where these do not fill the page', () => {
    const query = { status: 'stopped', until: '2026-02-01T00:00:00Z' };
    const { sql } = queryOf(query, { by: 'started_at', direction: 'asc' });
    const [started, never] = branchesOf(sql);
    expect(started!.where).toMatch(/started_at < \$2 AND started_at IS NOT NULL$/);
    expect(never!.where).toMatch(
      / created_at < \$2 AND started_at IS NULL AND \(SELECT count\(\*\) FROM first_part\) < 60$/,
    );
    expect(sql).toContain('ORDER BY part, key asc, id asc LIMIT 20 OFFSET 40');
  });

  it.each([
    ['completed,waiting', ['completed', 'waiting'], true],
    ['completed,failed', ['completed', 'failed'], false],
    ['pending,waiting', ['pending', 'waiting'], false],
  ])('puts open runs after ended ones by their end: %s', (status, statuses, inTwoParts) => {
    const { sql } = queryOf({ status }, { by: 'completed_at', direction: 'desc' });
    expect(statusesOf(sql)).toEqual(statuses);
    expect(sql.includes('second_part')).toBe(inTwoParts);
  });

  it('asks the ledger first where two dimensions meet', () => {
    expect(queryOf({ agent_id: agent }).sql).not.toContain('run_tally');
    const { sql } = queryOf({ agent_id: agent, source: 'mcp', status: 'pending,failed' });
    const [pending, failed] = branchesOf(sql);
    expect(sql).toContain(
      `FROM run_tally WHERE team_id = $1 AND status IN ('failed') AND agent_id = $2 AND source = $3`,
    );
    expect(pending!.where).not.toContain('ledger');
    expect(failed!.where).toContain(`(SELECT runs FROM ledger WHERE status = 'failed') > 0`);
    expect(queryOf({ agent_id: agent, source: 'mcp', status: 'pending' }).sql).not.toContain('run_tally');
  });
});
