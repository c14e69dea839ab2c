import { listRuns, runStatuses } from '@aos/contracts';
import { endedOf, isLedgerFilter, openOf, runFilterOf } from './run-filters.js';

const filterOf = (query: Record<string, string>) => runFilterOf(listRuns.query.parse(query));
const agent = '01890000-0000-7000-8000-00000000000a';

describe('the filter of a list of runs', () => {
  it('wants every status unless some are named', () => {
    expect(filterOf({}).statuses).toEqual(runStatuses);
  });

  it.each([
    ['failed', ['failed']],
    ['needs_attention', ['waiting', 'failed']],
    ['interrupted', ['stopped']],
    ['not_started', ['pending']],
    ['starting,in_progress', ['pending', 'running']],
    ['failed, needs_attention,failed,interrupted', ['waiting', 'failed', 'stopped']],
    [runStatuses.join(), [...runStatuses]],
  ])('names each status once: %s', (status, statuses) => {
    expect(filterOf({ status }).statuses).toEqual(statuses);
  });

  it('tells open statuses from ended ones', () => {
    const filter = filterOf({ status: 'pending,stopped,waiting,completed' });
    expect(openOf(filter)).toEqual(['pending', 'waiting']);
    expect(endedOf(filter)).toEqual(['completed', 'stopped']);
  });

  it('keeps the dimensions that were given', () => {
    expect(filterOf({ source: 'mcp', agent_id: agent.toUpperCase() }).equal).toEqual([
      ['agent_id', agent],
      ['source', 'mcp'],
    ]);
  });

  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.678+02:00', '2026-01-02T01:04:05.678Z'],
    ['2026-01-02T03:04:05.6780000Z', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04:05.6780001Z', '2026-01-02T03:04:05.679Z'],
    ['2026-01-02T03:04:05.9999Z', '2026-01-02T03:04:06.000Z'],
    ['0000-01-01T00:00:00+23:59', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.9999-23:59', '9999-12-31T23:59:59.999Z'],
  ])('compares milliseconds that Postgres can read: %s', (text, moment) => {
    const filter = filterOf({ since: text, until: text });
    expect(filter.since?.toISOString()).toBe(moment);
    expect(filter.until?.toISOString()).toBe(moment);
  });

  it.each([
    [{}, true],
    [{ status: 'failed', agent_id: agent, user_id: agent, case_queue_id: agent, source: 'api' }, true],
    [{ search: 'a' }, false],
    [{ since: '2026-01-02T03:04:05Z' }, false],
    [{ until: '2026-01-02T03:04:05Z' }, false],
    [{ has_issues: 'false' }, false],
    [{ issue_severity: 'low' }, false],
  ])('can be counted by the ledger: %j → %s', (query, can) => {
    expect(isLedgerFilter(filterOf(query))).toBe(can);
  });
});
