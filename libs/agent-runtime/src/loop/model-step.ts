import type { RunError } from '@aos/contracts';
import { ModelError } from '../models/model-error.js';
import type { ModelTurn, ToolCall } from '../models/model.js';
import { InvalidScriptError } from '../scripted/invalid-script-error.js';
import type { AfterStep, LoopMessage, StepRecord } from './journal.js';
import { storable } from './storable.js';
import { TimeIsOver } from './time-limit.js';

/** A turn as it can be kept: storable text, and ids that no other call of the run has. */
export function keepable(turn: ModelTurn, earlier: readonly LoopMessage[]): ModelTurn {
  const kept = storable(turn);
  const taken = new Set(earlier.flatMap(({ toolCall }) => toolCall?.id ?? []));
  return { ...kept, toolCalls: kept.toolCalls.map((call) => withOwnId(call, taken)) };
}

function withOwnId(call: ToolCall, taken: Set<string>): ToolCall {
  const wanted = call.id || 'call';
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  taken.add(id);
  return { ...call, id };
}

export function messagesOf({ thinking, text, toolCalls }: ModelTurn): LoopMessage[] {
  const role = 'assistant';
  return [
    ...(thinking === '' ? [] : [{ type: 'thinking', role, text: thinking } as const]),
    ...(text === '' ? [] : [{ type: 'text', role, text } as const]),
    ...toolCalls.map((toolCall) => ({ type: 'tool_call', role, toolCall }) as const),
  ];
}

/** What follows a turn, given the messages before it and the active time that is left. */
export function afterTurn(turn: ModelTurn, earlier: readonly LoopMessage[], leftMs: number): AfterStep {
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

/** Why the run fails when its model does; anything that is no model's failure is thrown on. */
export function modelFailure(error: unknown): { readonly error: RunError; readonly attempts: number } {
  if (error instanceof TimeIsOver) return { error: timeIsOver, attempts: 1 };
  if (!(error instanceof ModelError)) throw error;
  const code = error instanceof InvalidScriptError ? 'invalid_script' : 'model_error';
  return { error: storable({ code, message: error.message }), attempts: error.options.attempts ?? 1 };
}
