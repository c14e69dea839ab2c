import { getWorkflowExecutionReport } from '@aos/contracts';
import { uuidv7 } from 'uuidv7';
import { ReportsRepository, ReportsService } from '../src/lifecycle/reports/reports.service.js';
import type { RunStepEntity } from '../src/run-core/records/run-records.entities.js';
import { createRunTables, insertRuns, insertSteps, runRow, type RunTables } from './run-rows.js';

describe('the report of a run', () => {
  let tables: RunTables;
  let reports: ReportsService;

  beforeAll(async () => {
    tables = await createRunTables();
    reports = new ReportsService(new ReportsRepository(tables.transactions));
  });

  afterAll(() => tables?.drop());

  const at = (ms: number) => new Date(Date.parse('2026-03-01T00:00:00Z') + ms);
  const run = runRow({
    status: 'completed',
    created_at: at(0),
    started_at: at(1_000),
    completed_at: at(9_000),
  });
  const step = (step_index: number, fields: Partial<RunStepEntity>): RunStepEntity => ({
    run_id: run.id,
    step_index,
    name: 'respond',
    kind: 'model',
    status: 'completed',
    attempts: 1,
    input_tokens: null,
    output_tokens: null,
    tool_calls: null,
    error: null,
    started_at: at(1_000),
    completed_at: at(1_250),
    ...fields,
  });

  it('shows the steps in order, with their totals', async () => {
    const other = runRow({ team_id: run.team_id, agent_id: run.agent_id });
    await insertRuns(tables, [run, other]);
    await insertSteps(tables, [
      step(2, { name: 'ask_human', kind: 'human', completed_at: at(6_000) }),
      step(1, { input_tokens: 100, output_tokens: 20, tool_calls: 1 }),
      step(3, { name: 'http', kind: 'tool', status: 'failed', attempts: 5, error: 'no answer' }),
      step(1, { run_id: other.id }),
    ]);
    const report = await reports.report(run.team_id, run.agent_id, run.id);
    expect(getWorkflowExecutionReport.response.parse(report)).toMatchObject({
      run_id: run.id,
      agent_id: run.agent_id,
      build_id: run.build_id,
      status: 'completed',
      duration_ms: 8_000,
      steps: [
        { index: 1, kind: 'model', duration_ms: 250, input_tokens: 100 },
        { index: 2, kind: 'human', duration_ms: 5_000 },
        { index: 3, kind: 'tool', status: 'failed', attempts: 5, error: 'no answer' },
      ],
      totals: {
        steps: 3,
        model_calls: 1,
        tool_calls: 1,
        human_requests: 1,
        input_tokens: 100,
        output_tokens: 20,
        human_wait_ms: 5_000,
        active_ms: 500,
      },
    });
  });

  it('is of a run of this team and this agent', async () => {
    const { id, team_id: teamId, agent_id: agentId } = runRow();
    await insertRuns(tables, [runRow({ id, team_id: teamId, agent_id: agentId })]);
    expect((await reports.report(teamId, agentId, id)).steps).toEqual([]);
    const missing = [
      [uuidv7(), agentId, id],
      [teamId, uuidv7(), id],
      [teamId, agentId, uuidv7()],
    ] as const;
    for (const path of missing) {
      await expect(reports.report(...path)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});
