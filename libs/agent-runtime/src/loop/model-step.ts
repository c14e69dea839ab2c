import type { RunError } from '@aos/contracts';
import { isOfBrokenArguments } from '../models/broken-arguments.js';
import {
  AnswerTruncatedError,
  CutAnswerError,
  type PartialAnswer,
} from '../models/errors/cut-answer-error.js';
import { ModelError } from '../models/errors/model-error.js';
import type { ModelTurn, TokenUsage, ToolCall } from '../models/model.js';
import { fitsOutput, OutputTooLargeError } from '../models/errors/output-too-large-error.js';
import { isTooDeep, TooDeepError } from '../models/errors/too-deep-error.js';
import { InvalidScriptError } from '../scripted/invalid-script-error.js';
import type { Excerpt } from './conversation.js';
import type { AfterStep, Entry, LoopMessage, StepRecord } from './journal.js';
import { endedCall } from './tool-step.js';
import { storable } from './storable.js';
import { TimeIsOver } from './time-limit.js';

/** A turn as it can be kept: storable text, and ids that no other call of the run has. */
export function keepable(turn: ModelTurn, earlier: Excerpt): ModelTurn {
  if (!fitsOutput(turn.text)) throw new OutputTooLargeError('The text of the model');
  if (!fitsOutput(turn.thinking)) throw new OutputTooLargeError('What the model thought');
  const kept = storable({ ...turn, toolCalls: turn.toolCalls.map(withFittingArguments) });
  return { ...kept, toolCalls: withOwnIds(kept.toolCalls, earlier) };
}

function withFittingArguments(call: ToolCall): ToolCall {
  if (isTooDeep(call.arguments)) return { ...call, arguments: {}, refused: new TooDeepError().message };
  if (fitsOutput(JSON.stringify(call.arguments))) return call;
  return { ...call, arguments: {}, refused: new OutputTooLargeError('What the arguments hold').message };
}

/** How an id ends that tells by itself which turn it is of: with the number of messages that the run had before. */
const endOfTurn = /-m\d+$/;

/**
 * Tools know by the id whether they have done a call, so no other call of the run may have had it. Where all messages
 * are there, they tell; where some were left out, an id gets an end that only this turn gives. One that a model ends
 * so gets it as well, so that none can look as if it were of another turn.
 */
function withOwnIds(calls: readonly ToolCall[], { messages, omitted }: Excerpt): ToolCall[] {
  const taken = new Set(messages.flatMap(({ toolCall }) => toolCall?.id ?? []));
  return calls.map((call) => {
    const wanted = call.id || 'call';
    const end = omitted > 0 || endOfTurn.test(wanted) ? `-m${omitted + messages.length}` : '';
    let id = `${wanted}${end}`;
    for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}${end}`;
    taken.add(id);
    return { ...call, id };
  });
}

/** What a turn leaves in the run; calls that cannot be made have ended with it. */
export function keptOf({ thinking, text, toolCalls }: ModelTurn): Pick<Entry, 'messages' | 'toolCallsEnded'> {
  const role = 'assistant';
  const refused = toolCalls.flatMap(({ refused: message, ...call }) =>
    message === undefined ? [] : [endedCall(call, { kind: 'error', message }, 0)],
  );
  return {
    messages: [
      ...(thinking === '' ? [] : [{ type: 'thinking', role, text: thinking } as const]),
      ...(text === '' ? [] : [{ type: 'text', role, text } as const]),
      ...toolCalls.map(({ refused: _, ...toolCall }) => ({ type: 'tool_call', role, toolCall }) as const),
      ...refused.flatMap(({ messages }) => messages),
    ],
    ...(refused.length > 0 ? { toolCallsEnded: refused.flatMap((call) => call.toolCallsEnded) } : {}),
  };
}

/** What follows a turn, given the messages before it and the active time that is left. */
export function afterTurn(turn: ModelTurn, earlier: readonly LoopMessage[], leftMs: number): AfterStep {
  if (brokenCalls(turn, earlier) >= maxBrokenCalls) return { kind: 'fail', error: protocolError };
  const then = turn.then ?? { kind: turn.toolCalls.length > 0 ? 'continue' : 'finish' };
  switch (then.kind) {
    case 'continue':
      return { kind: 'go-on' };
    case 'finish':
      return { kind: 'complete', result: turn.text || lastText(earlier) };
    case 'fail':
      return { kind: 'fail', error: { code: 'failed_by_agent', message: then.message } };
    case 'wait':
      return { kind: 'sleep', ms: Math.max(0, Math.min(then.ms, leftMs)) };
  }
}

const maxBrokenCalls = 3;

const protocolError: RunError = {
  code: 'model_protocol_error',
  message: `The model made ${maxBrokenCalls} calls in a row whose arguments are not JSON.`,
};

/** How many calls in a row had arguments that are not JSON, those of this turn included. */
function brokenCalls({ toolCalls }: ModelTurn, earlier: readonly LoopMessage[]): number {
  const sincePost = earlier.slice(earlier.findLastIndex(({ role }) => role === 'user') + 1);
  const errors = [
    ...sincePost.flatMap(({ toolResult }) => (toolResult ? [toolResult.error] : [])),
    ...toolCalls.map(({ refused }) => refused),
  ];
  return errors.length - 1 - errors.findLastIndex((error) => !isOfBrokenArguments(error));
}

type EndOfTurn = Omit<StepRecord, 'startedAt' | 'attempts'>;

/** How the step of a turn is recorded; one that waits is recorded when it begins. */
export function stepOfTurn(then: AfterStep, now: Date): EndOfTurn {
  if (then.kind === 'sleep') return { name: 'wait', kind: 'wait', status: 'running', completedAt: null };
  const ended = { name: 'model turn', kind: 'model', completedAt: now } as const;
  if (then.kind === 'fail') return { ...ended, status: 'failed', error: then.error.message };
  return { ...ended, status: 'completed' };
}

function lastText(messages: readonly LoopMessage[]): string | null {
  const said = messages.findLast(({ type, role, text }) => type === 'text' && role === 'assistant' && text);
  return said?.text ?? null;
}

export const timeIsOver: RunError = {
  code: 'timeout',
  message: 'The run has worked as long as its time limit allows.',
};

interface ModelFailure {
  readonly error: RunError;
  readonly attempts: number;
  /** Of answers that were of no use. */
  readonly usage?: TokenUsage;
  /** Of an answer that was cut off what there is of it. */
  readonly messages: readonly LoopMessage[];
}

/** Why the run fails when its model does; anything that is no model's failure is thrown on. */
export function modelFailure(error: unknown): ModelFailure {
  if (error instanceof TimeIsOver) return { error: timeIsOver, attempts: 1, messages: [] };
  if (!(error instanceof ModelError)) throw error;
  return {
    error: storable({ code: codeOf(error), message: error.message }),
    attempts: error.options.attempts ?? 1,
    usage: error.options.usage,
    messages: error instanceof CutAnswerError ? keptOfPart(error.partial) : [],
  };
}

function keptOfPart(partial: PartialAnswer): Entry['messages'] {
  const fits = fitsOutput(partial.text) && fitsOutput(partial.thinking);
  return fits ? keptOf({ ...storable(partial), toolCalls: [] }).messages : [];
}

function codeOf(error: ModelError): RunError['code'] {
  if (error instanceof InvalidScriptError) return 'invalid_script';
  if (error instanceof CutAnswerError)
    return error instanceof AnswerTruncatedError ? 'output_truncated' : 'content_filtered';
  return error instanceof OutputTooLargeError ? 'output_too_large' : 'model_error';
}
