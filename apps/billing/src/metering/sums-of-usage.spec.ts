import type { NewUsage } from '../usage-records/usage-records.repository.js';
import { noCounts } from '../usage-records/counters.js';
import { sumsOfUsage } from './sums-of-usage.js';

const usage = (id: string, changed: Partial<NewUsage> = {}): NewUsage => ({
  id,
  team_id: 'team',
  agent_id: 'agent',
  agent_name: null,
  model: '',
  occurred_at: '2026-01-31T12:00:00.000Z',
  counts: {},
  ...changed,
});

describe('sumsOfUsage', () => {
  it('adds up what belongs together, under the id of the first', () => {
    const sums = sumsOfUsage([
      usage('1', { counts: { runs_started: 1, messages: 1 } }),
      usage('2', { counts: { messages: 2 } }),
      usage('3', { counts: { runs_completed: 1, active_ms: 30 } }),
    ]);
    expect(sums).toHaveLength(1);
    expect(sums[0]).toMatchObject({
      id: '1',
      counts: { runs_started: 1, messages: 3, runs_completed: 1, active_ms: 30, tool_calls: 0 },
    });
  });

  it.each([
    ['team', { team_id: 'another' }],
    ['agent', { agent_id: 'another' }],
    ['model', { model: 'openai/a' }],
    ['day', { occurred_at: '2026-02-01T00:00:00.000Z' }],
  ])('keeps apart what differs in its %s', (_, changed) => {
    const counts = { messages: 1 };
    const used = [usage('1', { counts }), usage('2', { counts, ...changed })];
    expect(sumsOfUsage(used)).toEqual(used.map((one) => ({ ...one, counts: { ...noCounts, ...counts } })));
  });

  it('knows the agent by its latest name, in whatever order the events came', () => {
    const at = (second: number, agent_name: string | null) =>
      usage(String(second), { agent_name, occurred_at: `2026-01-31T12:00:0${second}.000Z` });
    const nameOf = (...used: NewUsage[]) => sumsOfUsage(used)[0]!.agent_name;
    expect(nameOf(at(1, 'Old'), at(2, 'New'), at(3, null))).toBe('New');
    expect(nameOf(at(2, 'New'), at(1, 'Old'))).toBe('New');
    expect(nameOf(at(1, null), at(2, 'New'))).toBe('New');
  });

  it('makes nothing of nothing', () => {
    expect(sumsOfUsage([])).toEqual([]);
  });
});
