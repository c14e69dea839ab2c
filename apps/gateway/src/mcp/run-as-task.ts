import { hasEnded, shownRunError, type RunAsTask, type RunStatus } from '@aos/contracts';
import type {
  CreateTaskResultV2,
  DetailedTaskV2,
  TaskStatusV2,
} from '@modelcontextprotocol/ext-tasks/core/v2';
import { elicitationOf } from './elicitations.js';
import { runResult, type ShownRun } from './run-results.js';

const statuses: Readonly<Record<RunStatus, TaskStatusV2>> = {
  pending: 'working',
  running: 'working',
  waiting: 'input_required',
  completed: 'completed',
  // The tool has run; that it came to nothing is its result.
  failed: 'completed',
  stopped: 'cancelled',
};

const pollIntervalMs = 1_000;

type StartedRun = ShownRun & {
  readonly run: { readonly created_at: string; readonly updated_at: string };
};

/** The answer to the call that has started a run: a task under the id of the run. It stays as long as the run does. */
export function startedTask(started: StartedRun): CreateTaskResultV2 {
  return {
    resultType: 'task',
    ...describe(started, started.run.updated_at),
    // A replay may find its run at its end; `tasks/get` tells of it.
    status: hasEnded(started.status) ? 'working' : statuses[started.status],
  };
}

/** Whether the task has come to its end, which stays its end when a message reopens the run. */
export function hasTaskEnded({ first_end: firstEnd, status }: RunAsTask): boolean {
  return firstEnd !== null || hasEnded(status);
}

/** The present state of the task. */
export function taskOfRun(found: RunAsTask): DetailedTaskV2 {
  const run = atItsEnd(found);
  const base = describe(run, run.run.completed_at ?? run.run.updated_at);
  const status = statuses[run.status];
  if (status === 'completed') {
    // A result in a task says what it is, as one by itself does.
    return { ...base, status, result: { resultType: 'complete', ...runResult(run) } } as DetailedTaskV2;
  }
  if (status === 'input_required') {
    const request = run.pending_human_request;
    // Settled a moment ago: the run goes on at once.
    if (!request) return { ...base, status: 'working' };
    return { ...base, status, inputRequests: { [request.id]: elicitationOf(request) } };
  }
  return { ...base, status } as DetailedTaskV2;
}

/** The run as it was when its task ended. */
function atItsEnd(found: RunAsTask): RunAsTask {
  const { first_end: end, run } = found;
  if (!end) return found;
  const { status, result, error, ended_at: completedAt } = end;
  const ended = { status, result, error: error && shownRunError(error), completed_at: completedAt };
  return { ...found, status, run: { ...run, ...ended } };
}

function describe({ run_id: taskId, status, run }: StartedRun, lastUpdatedAt: string) {
  return {
    taskId,
    createdAt: run.created_at,
    lastUpdatedAt,
    ttlMs: null,
    pollIntervalMs,
    statusMessage: `The run is ${status}.`,
  };
}
