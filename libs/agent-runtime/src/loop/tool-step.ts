import { isDeepStrictEqual } from 'node:util';
import { Tracing, type SpanDraft } from '@aos/platform';
import type { ToolCall } from '../models/model.js';
import { retrying, type RetryOptions } from '../retries/retrying.js';
import type { ToolBox } from '../tools/tool-box.js';
import {
  TransientToolError,
  type EndedOutcome,
  type HumanRequestDraft,
  type Tool,
  type ToolContext,
  type ToolOutcome,
} from '../tools/tool.js';
import type { Entry, LoopMessage, StepRecord } from './journal.js';
import type { RunState } from './run-state.js';
import { storable, storableResult, storableText } from './storable.js';
import { TimeIsOver, type TimeLimit } from './time-limit.js';

export interface ToolCalling {
  readonly tools: ToolBox;
  readonly limit: TimeLimit;
  readonly retry?: Partial<RetryOptions>;
  readonly tracing?: Tracing;
  readonly onToolError?: (error: unknown, call: ToolCall) => void;
}

export interface CalledTool {
  readonly outcome: ToolOutcome;
  readonly attempts: number;
  readonly timeIsOver: boolean;
}

type Intent = NonNullable<RunState['intent']>;

/** What becomes of a call that must not be made again. */
export const interrupted = unmade(
  'The call was interrupted before its result was stored. Whether it took effect is not known, so it was not made again.',
);

const forgottenMessage =
  'The database has lost the latest steps of this run. Whether this call was made in one of them is not known, so it was not made now. Find out what has taken effect before you make it again.';

/** What becomes of a call that may be one of those that are not stored any more. */
export const forgotten = unmade(forgottenMessage);

/** Whether the model knows that this very call may have been made, and makes it all the same. */
export function wasForgotten(call: ToolCall, messages: readonly LoopMessage[]): boolean {
  const before = messages.slice(
    0,
    messages.findIndex(({ toolCall }) => toolCall?.id === call.id),
  );
  const forgottenIds = new Set(
    before.flatMap(({ toolResult }) =>
      toolResult?.error === forgottenMessage ? [toolResult.toolCallId] : [],
    ),
  );
  return before.some(
    ({ toolCall }) =>
      toolCall?.name === call.name &&
      forgottenIds.has(toolCall.id) &&
      isDeepStrictEqual(toolCall.arguments, call.arguments),
  );
}

function unmade(message: string): Omit<CalledTool, 'attempts'> {
  return { outcome: { kind: 'error', message }, timeIsOver: false };
}

/** Whether a call may be made of which the database may have forgotten that it was made before. */
export function mayBeginInDoubt(tool: Tool | undefined, call: ToolCall): boolean {
  if (tool === undefined) return true;
  return !tool.isKnownByDatabase && (tool.isInstant || tool.isRepeatable(call.arguments));
}

/** Whether a call that has begun before may be made now: always if the run let go of it on purpose. */
export function mayBegin(tool: Tool | undefined, call: ToolCall, intent: Intent): boolean {
  return intent.awaited || tool === undefined || tool.isRepeatable(call.arguments);
}

/** How often the call was made before; that an awaited one is looked at again is no new attempt. */
export function attemptsOf(intent: Intent | undefined): number {
  if (!intent) return 0;
  return intent.awaited ? intent.attempts - 1 : intent.attempts;
}

/** Whatever a tool does is an outcome; only the reason of the run's owner is thrown. */
export function callTool(call: ToolCall, context: ToolContext, calling: ToolCalling): Promise<CalledTool> {
  const { tools, tracing = Tracing.off } = calling;
  return tracing.part(spanOf(call, tools), async (span) => {
    const called = await tryTool(call, context, calling);
    if (called.outcome.kind === 'error') span.fail(called.timeIsOver ? 'timeout' : 'tool_error');
    return called;
  });
}

/** By the conventions for generative AI. A name that no tool has is a text of the model. */
function spanOf({ id, name }: ToolCall, tools: ToolBox): SpanDraft {
  const known = tools.find(name) ? name : 'unknown';
  return {
    name: `execute_tool ${known}`,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': known,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.type': 'function',
    },
  };
}

async function tryTool(
  call: ToolCall,
  context: ToolContext,
  { tools, limit, retry, onToolError }: ToolCalling,
): Promise<CalledTool> {
  let attempts = 0;
  const mayRepeat = tools.find(call.name)?.isRepeatable(call.arguments) ?? true;
  const again = (error: unknown) => isTransient(error) && (mayRepeat || error.hadNoEffect);
  const work = (attempt: number): Promise<ToolOutcome> => {
    attempts = attempt;
    return tools.execute(call, context);
  };
  try {
    const outcome = await limit.within(() =>
      retrying(work, { ...retry, isTransient: again, signal: limit.signal }),
    );
    return { outcome: keepable(outcome), attempts, timeIsOver: false };
  } catch (error) {
    limit.owner.throwIfAborted();
    const timeIsOver = error instanceof TimeIsOver;
    const isKnown = timeIsOver || isTransient(error);
    if (!isKnown) onToolError?.(error, call);
    const doubt = isTransient(error) && !again(error) ? ' Whether the call took effect is not known.' : '';
    const message = isKnown ? storableText(error.message + doubt) : 'The tool failed.';
    return { outcome: { kind: 'error', message }, attempts, timeIsOver };
  }
}

/** What the run's events say of a call that has ended. */
export function endedCall(
  { id, name }: ToolCall,
  outcome: EndedOutcome,
  durationMs: number,
): Required<Pick<Entry, 'messages' | 'toolCallsEnded'>> {
  const ok = outcome.kind === 'result';
  const error = ok ? {} : { error: outcome.message };
  const toolResult = { toolCallId: id, ...(ok ? { result: outcome.result } : error) };
  return {
    messages: [{ type: 'tool_result', role: 'tool', toolResult }],
    toolCallsEnded: [{ id, name, ok, durationMs, ...error }],
  };
}

export function stepOfTool(
  outcome: EndedOutcome,
  now: Date,
): Pick<StepRecord, 'kind' | 'status' | 'completedAt' | 'error'> {
  const ended = { kind: 'tool', completedAt: now } as const;
  if (outcome.kind === 'error') return { ...ended, status: 'failed', error: outcome.message };
  return { ...ended, status: 'completed' };
}

function isTransient(error: unknown): error is TransientToolError {
  return error instanceof TransientToolError;
}

function keepable(outcome: ToolOutcome): ToolOutcome {
  switch (outcome.kind) {
    case 'result':
      return storableResult(outcome.result);
    case 'error':
      return storable(outcome);
    case 'ask':
      return { kind: 'ask', request: keepableRequest(outcome.request) };
    case 'later':
      return outcome;
  }
}

/** A date is no JSON value. */
function keepableRequest({ dueAt, ...request }: HumanRequestDraft): HumanRequestDraft {
  return { ...storable(request), dueAt };
}
