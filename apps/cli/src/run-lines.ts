import type { HumanRequest, Run, RunStatus } from '@aos/client';
import { fieldLine, type Output, type Style } from './output.js';
import { oneLine, safeText } from './safe-text.js';

const styles: Readonly<Record<RunStatus, Style>> = {
  pending: 'dim',
  running: 'blue',
  waiting: 'yellow',
  completed: 'green',
  failed: 'red',
  stopped: 'dim',
};

export function statusText(output: Output, status: RunStatus): string {
  return output.style(styles[status], status);
}

/** A run, as a person wants to see it. */
export function runLines(run: Run, request?: HumanRequest | null): string[] {
  const { usage } = run;
  return [
    fieldLine('Run', run.run_id),
    fieldLine('Title', oneLine(run.title)),
    fieldLine('Agent', `${oneLine(run.agent_name)} (${run.agent_id})`),
    fieldLine('Status', statusInWords(run)),
    fieldLine('Created', run.created_at),
    ...(run.completed_at ? [fieldLine('Ended', run.completed_at)] : []),
    ...(run.case_id ? [fieldLine('Case', `${oneLine(run.case_title ?? '')} (${run.case_id})`)] : []),
    fieldLine('Work', `${usage.steps} steps, ${usage.tool_calls} tool calls`),
    fieldLine('Tokens', `${usage.input_tokens} in, ${usage.output_tokens} out`),
    ...(request ? ['', ...requestLines(request)] : []),
    ...(run.error ? ['', `${run.error.code}: ${safeText(run.error.message)}`, run.error.advice] : []),
    ...(run.result === null ? [] : ['', safeText(run.result)]),
  ];
}

export function requestLines(request: HumanRequest): string[] {
  return [
    `${request.type === 'approval' ? 'Asks for approval' : 'Asks'}: ${safeText(request.title)}`,
    ...(request.description ? [safeText(request.description)] : []),
    ...(request.questions ?? []).flatMap(({ question, options = [] }) => [
      `  ${safeText(question)}`,
      ...options.map(({ label }, index) => `    ${index + 1}) ${oneLine(label)}`),
    ]),
    ...(request.due_at ? [`  until ${request.due_at}`] : []),
  ];
}

function statusInWords({ status, pending_reason, stop_reason }: Run): string {
  const reason = status === 'pending' ? pending_reason : status === 'stopped' ? stop_reason : null;
  return reason ? `${status} (${reason})` : status;
}
