import type { StepKind } from '@aos/contracts';
import type { RunStepEntity } from '../../run-core/records/run-records.entities.js';
import { type ReportedRun, reportOf } from './report.js';

const at = (ms: number) => new Date(1_760_000_000_000 + ms);
const now = at(60_000);

const run = (fields: Partial<ReportedRun> = {}): ReportedRun => ({
  id: 'run',
  agent_id: 'agent',
  build_id: 'build',
  status: 'completed',
  started_at: at(1_000),
  completed_at: at(11_000),
  ...fields,
});

const step = (kind: StepKind, from: number, to: number | null, fields: Partial<RunStepEntity> = {}) => ({
  run_id: 'run',
  step_index: 1,
  name: kind,
  kind,
  status: to === null ? ('running' as const) : ('completed' as const),
  attempts: 1,
  input_tokens: null,
  output_tokens: null,
  tool_calls: null,
  error: null,
  started_at: at(from),
  completed_at: to === null ? null : at(to),
  ...fields,
});

describe('the report of a run', () => {
  it('adds up its steps by their kinds', () => {
    const steps = [
      step('model', 0, 100, { input_tokens: 10, output_tokens: 3, tool_calls: 2 }),
      step('tool', 100, 150),
      step('tool', 150, 1_150, { status: 'failed', error: 'no such page', attempts: 3 }),
      step('human', 1_150, 9_150),
      step('model', 9_150, 9_200, { input_tokens: 20, output_tokens: 4, tool_calls: 0 }),
      step('wait', 9_200, 9_700),
    ];
    expect(reportOf(run(), steps, now).totals).toEqual({
      steps: 6,
      model_calls: 2,
      tool_calls: 2,
      human_requests: 1,
      input_tokens: 30,
      output_tokens: 7,
      human_wait_ms: 8_000,
      active_ms: 100 + 50 + 1_000 + 50 + 500,
    });
  });

  it('shows a step as it is, and leaves out what does not apply', () => {
    const failed = step('tool', 0, 250, {
      step_index: 4,
      status: 'failed',
      error: 'no such page',
      attempts: 3,
    });
    const model = step('model', 300, 400, { input_tokens: 0, output_tokens: 7, tool_calls: 0 });
    const shown = reportOf(run(), [failed, model], now).steps;
    expect(JSON.parse(JSON.stringify(shown))).toEqual([
      {
        index: 4,
        name: 'tool',
        kind: 'tool',
        status: 'failed',
        started_at: '2025-10-09T08:53:20.000Z',
        completed_at: '2025-10-09T08:53:20.250Z',
        duration_ms: 250,
        attempts: 3,
        error: 'no such page',
      },
      expect.objectContaining({ input_tokens: 0, output_tokens: 7, tool_calls: 0 }),
    ]);
  });

  it('counts what goes on until now', () => {
    const waiting = run({ status: 'waiting', completed_at: null });
    const report = reportOf(waiting, [step('model', 0, 100), step('human', 10_000, null)], now);
    expect(report).toMatchObject({ status: 'waiting', completed_at: null, duration_ms: 59_000 });
    expect(report.steps[1]).toMatchObject({ completed_at: null, duration_ms: null });
    expect(report.totals).toMatchObject({ human_wait_ms: 50_000, active_ms: 100 });
    const asleep = reportOf(waiting, [step('wait', 20_000, null)], now);
    expect(asleep.totals).toMatchObject({ human_wait_ms: 0, active_ms: 40_000 });
  });

  it('knows no duration of a run that never started, and no steps', () => {
    const report = reportOf(run({ status: 'stopped', started_at: null }), [], now);
    expect(report).toMatchObject({ started_at: null, duration_ms: null, steps: [] });
    expect(Object.values(report.totals)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('has no negative times where clocks differ', () => {
    const ahead = reportOf(run({ status: 'running', completed_at: null, started_at: at(70_000) }), [], now);
    expect(ahead.duration_ms).toBe(0);
  });
});
