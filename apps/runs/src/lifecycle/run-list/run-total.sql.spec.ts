import { listRuns } from '@aos/contracts';
import { runFilterOf } from './run-filters.js';
import { runTotalQuery } from './run-page.sql.js';

const team = '01890000-0000-7000-8000-000000000001';
const agent = '01890000-0000-7000-8000-00000000000a';

const sqlOf = (query: Record<string, string>) =>
  runTotalQuery(team, runFilterOf(listRuns.query.parse(query))).sql;

describe('the query of the number of runs', () => {
  it('takes ended runs from the ledger, and counts open ones', () => {
    expect(sqlOf({ status: 'waiting,completed,failed', agent_id: agent })).toBe(
      `SELECT (SELECT count(*) FROM run WHERE team_id = $1 AND status = 'waiting' AND agent_id = $2)` +
        ` + (SELECT coalesce(sum(runs), 0) FROM run_tally` +
        ` WHERE team_id = $1 AND status IN ('completed', 'failed') AND agent_id = $2) AS total`,
    );
    expect(sqlOf({ status: 'stopped' })).not.toContain('FROM run ');
    expect(sqlOf({ status: 'pending' })).not.toContain('run_tally');
  });

  it.each<Record<string, string>>([
    { since: '2026-01-01T00:00:00Z' },
    { has_issues: 'false' },
    { issue_severity: 'low' },
    { search: 'a' },
  ])('counts the rows where the ledger cannot tell: %j', (query) => {
    const sql = sqlOf({ ...query, status: 'pending,completed' });
    expect(sql).not.toContain('run_tally');
    expect(sql.match(/count\(\*\) FROM run WHERE/g)).toHaveLength(2);
  });

  it('counts titles where nothing else is asked for', () => {
    expect(sqlOf({ search: 'a' })).toBe(
      'SELECT (SELECT count(*) FROM run_title WHERE team_id = $1 AND title LIKE $2) AS total',
    );
    expect(sqlOf({ search: 'a', source: 'api' })).toContain('FROM run WHERE');
  });
});
