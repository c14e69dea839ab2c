import type { getWorkflowExecutionReport, OperationResponse, StepKind } from '@aos/contracts';
import type { RunStepEntity } from '../../run-core/records/run-records.entities.js';
import type { RunEntity } from '../../run-core/run.entity.js';

export type RunReport = OperationResponse<typeof getWorkflowExecutionReport>;

export type ReportedRun = Pick<
  RunEntity,
  'id' | 'agent_id' | 'build_id' | 'status' | 'started_at' | 'completed_at'
>;

/** Builds the report of a run. Open runs and steps count until now. */
export function reportOf(run: ReportedRun, steps: readonly RunStepEntity[], now: Date): RunReport {
  return {
    run_id: run.id,
    agent_id: run.agent_id,
    build_id: run.build_id,
    status: run.status,
    started_at: run.started_at?.toISOString() ?? null,
    completed_at: run.completed_at?.toISOString() ?? null,
    duration_ms: run.started_at && elapsedMs(run.started_at, run.completed_at ?? now),
    steps: steps.map(toReportedStep),
    totals: {
      steps: steps.length,
      model_calls: ofKinds(steps, 'model').length,
      tool_calls: ofKinds(steps, 'tool').length,
      human_requests: ofKinds(steps, 'human').length,
      input_tokens: sum(steps.map((step) => step.input_tokens ?? 0)),
      output_tokens: sum(steps.map((step) => step.output_tokens ?? 0)),
      human_wait_ms: spentMs(ofKinds(steps, 'human'), now),
      active_ms: spentMs(ofKinds(steps, 'model', 'tool', 'wait'), now),
    },
  };
}

function toReportedStep(step: RunStepEntity): RunReport['steps'][number] {
  return {
    index: step.step_index,
    name: step.name,
    kind: step.kind,
    status: step.status,
    started_at: step.started_at.toISOString(),
    completed_at: step.completed_at?.toISOString() ?? null,
    duration_ms: step.completed_at && elapsedMs(step.started_at, step.completed_at),
    attempts: step.attempts,
    input_tokens: step.input_tokens ?? undefined,
    output_tokens: step.output_tokens ?? undefined,
    tool_calls: step.tool_calls ?? undefined,
    error: step.error ?? undefined,
  };
}

function ofKinds(steps: readonly RunStepEntity[], ...kinds: StepKind[]): RunStepEntity[] {
  return steps.filter(({ kind }) => kinds.includes(kind));
}

function spentMs(steps: readonly RunStepEntity[], now: Date): number {
  return sum(steps.map((step) => elapsedMs(step.started_at, step.completed_at ?? now)));
}

/** Never less than nothing: the clocks of two replicas differ. */
function elapsedMs(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime());
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
