import type { ModelMessage, ToolCall } from '../models/model.js';
import type { LoopMessage, ToolResult } from './journal.js';

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>;

/**
 * What a model is shown of a run. Providers insist that the results of a turn's calls directly follow it, so a
 * message posted in between comes after them, and that every call has one.
 */
export function toModelMessages(messages: readonly LoopMessage[]): ModelMessage[] {
  const results = resultsByCall(messages);
  const shown = turnsOf(messages).flatMap((message) =>
    message.role === 'assistant' ? [message, ...resultsOf(message, results)] : [message],
  );
  return endWithTheUnanswered(shown);
}

/** The first call of the newest turn that has no result yet. The calls of a turn were stored together. */
export function firstOpenCall(messages: readonly LoopMessage[]): ToolCall | undefined {
  const results = resultsByCall(messages);
  const newest = messages.findLastIndex(isOfTurn);
  if (messages[newest]?.type !== 'tool_call') return undefined;
  const before = messages.findLastIndex(({ type }, index) => index < newest && type !== 'tool_call');
  const calls = messages.slice(before + 1, newest + 1).flatMap(({ toolCall }) => toolCall ?? []);
  return calls.find(({ id }) => !results.has(id));
}

/** What a model has said or wanted. */
export function isOfTurn({ type, role }: LoopMessage): boolean {
  return type === 'tool_call' || (role === 'assistant' && (type === 'text' || type === 'thinking'));
}

export function resultText({ result, error }: Omit<ToolResult, 'toolCallId'>): string {
  if (error !== undefined) return `Error: ${error}`;
  return typeof result === 'string' ? result : JSON.stringify(result ?? null);
}

function resultsByCall(messages: readonly LoopMessage[]): Map<string, ToolResult> {
  return new Map(
    messages.flatMap(({ toolResult }) => (toolResult ? [[toolResult.toolCallId, toolResult]] : [])),
  );
}

/** A text and the calls right behind it are one turn; a text behind a call begins another. */
function turnsOf(messages: readonly LoopMessage[]): ModelMessage[] {
  const turns: ModelMessage[] = [];
  let calls: ToolCall[] | undefined;
  for (const { type, role, text = '', toolCall } of messages) {
    if (toolCall) {
      if (!calls) turns.push({ role: 'assistant', text: '', toolCalls: (calls = []) });
      calls.push(toolCall);
      continue;
    }
    calls = undefined;
    if (type !== 'text' || text === '') continue;
    if (role === 'assistant') turns.push({ role, text, toolCalls: (calls = []) });
    if (role === 'user') turns.push({ role, text });
  }
  return turns;
}

function resultsOf({ toolCalls = [] }: AssistantMessage, results: Map<string, ToolResult>): ModelMessage[] {
  return toolCalls.map(({ id, name }) => ({
    role: 'tool',
    toolCallId: id,
    toolName: name,
    // A stopped run, then reopened.
    result: resultText(results.get(id) ?? { error: 'The call was not finished.' }),
  }));
}

/**
 * A text at the end that is to be followed by another turn was made without knowing the messages right before it,
 * which were posted meanwhile. What a conversation begins with is what the first text answered, and stays.
 */
function endWithTheUnanswered(messages: readonly ModelMessage[]): ModelMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return [...messages];
  const end = messages.length - 1;
  const before = messages.findLastIndex(({ role }, index) => index < end && role !== 'user');
  const from = Math.min(Math.max(before + 1, 1), end);
  return [...messages.slice(0, from), last, ...messages.slice(from, end)];
}
