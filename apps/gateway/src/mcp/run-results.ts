import { hasEnded, type Run } from '@aos/contracts';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** Converts a run into a tool result. */
export interface ShownRun {
  readonly run_id: string;
  readonly status: Run['status'];
  readonly run: Pick<Run, 'result' | 'error'> & Readonly<Record<string, unknown>>;
}

/** A run as the result of the tool that has started it: its last text, and the run itself beside it. */
export function runResult(outcome: ShownRun): CallToolResult {
  return {
    content: [{ type: 'text', text: textOf(outcome) }],
    structuredContent: { run_id: outcome.run_id, status: outcome.status, run: outcome.run },
    ...(outcome.status === 'failed' ? { isError: true } : {}),
  };
}

function textOf({ run_id: id, status, run }: ShownRun): string {
  if (status === 'failed') return `The run failed (${run.error?.code}): ${run.error?.message}`;
  if (status === 'stopped')
    return `The run was stopped.${run.result === null ? '' : ` Its last text: ${run.result}`}`;
  if (hasEnded(status)) return run.result ?? '';
  const state = status === 'waiting' ? 'waits for a person' : 'is still at work';
  return `The run ${id} ${state}. get_run tells how it gets on.`;
}
