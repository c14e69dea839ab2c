import { isHumanTool } from '../tools/human-tools.js';
import type { LoopMessage } from './journal.js';
import { isOfTurn } from './model-messages.js';
import { messageBytes } from './message-size.js';

/** A run's messages, and how many older ones are not among them. */
export interface Excerpt {
  readonly messages: readonly LoopMessage[];
  readonly omitted: number;
}

/**
 * What a worker keeps in memory of a run: the newest messages, within a bound, and those that a model may need however
 * old they are. A run may have 32 MiB of messages, and a process works on a hundred runs.
 */
export class Conversation {
  private kept: LoopMessage[];
  private bytes: number;
  private left: number;

  constructor(
    { messages, omitted }: Excerpt,
    private readonly maxBytes: number,
  ) {
    this.kept = [...messages];
    this.left = omitted;
    this.bytes = sizeOf(messages);
  }

  get messages(): readonly LoopMessage[] {
    return this.kept;
  }

  get omitted(): number {
    return this.left;
  }

  push(...messages: readonly LoopMessage[]): void {
    this.kept.push(...messages);
    this.bytes += sizeOf(messages);
    // Twice, so that not every message makes it choose anew.
    if (this.bytes > 2 * this.maxBytes) this.shorten();
  }

  private shorten(): void {
    const needed = neededOf(this.kept, this.maxBytes);
    this.left += this.kept.length - needed.size;
    this.kept = this.kept.filter((_message, index) => needed.has(index));
    this.bytes = sizeOf(this.kept);
  }
}

function sizeOf(messages: readonly LoopMessage[]): number {
  return messages.reduce((sum, message) => sum + messageBytes(message), 0);
}

function neededOf(messages: readonly LoopMessage[], maxBytes: number): Set<number> {
  const needed = new Set([...anchorsOf(messages), ...newestTurnOf(messages), ...tailOf(messages, maxBytes)]);
  needed.delete(-1);
  return withTheirCalls(messages, needed);
}

/** What a script may fill in, what a result falls back to, and what the run was started with. */
function anchorsOf(messages: readonly LoopMessage[]): number[] {
  const names = new Map(messages.flatMap(({ toolCall }) => (toolCall ? [[toolCall.id, toolCall.name]] : [])));
  const isResult = ({ toolResult }: LoopMessage, human: boolean): boolean =>
    toolResult !== undefined && isHumanTool(names.get(toolResult.toolCallId) ?? '') === human;
  const isText = ({ type, role }: LoopMessage, who: LoopMessage['role']): boolean =>
    type === 'text' && role === who;
  return [
    messages.findIndex((message) => isText(message, 'user')),
    messages.findLastIndex((message) => isText(message, 'user')),
    messages.findLastIndex((message) => isText(message, 'assistant')),
    messages.findLastIndex((message) => isResult(message, true)),
    messages.findLastIndex((message) => isResult(message, false)),
  ];
}

/** Its calls may still be open, and the results tell which are. */
function newestTurnOf(messages: readonly LoopMessage[]): number[] {
  const newest = messages.findLastIndex(isOfTurn);
  if (messages[newest]?.type !== 'tool_call') return [newest];
  const before = messages.findLastIndex(({ type }, index) => index < newest && type !== 'tool_call');
  const turn = messages.map((_, index) => index).slice(before + 1, newest + 1);
  const calls = new Set(turn.flatMap((index) => messages[index]!.toolCall?.id ?? []));
  const results = messages.flatMap(({ toolResult }, index) =>
    toolResult && calls.has(toolResult.toolCallId) ? [index] : [],
  );
  return [...turn, ...results];
}

/** The newest messages that fit. */
function tailOf(messages: readonly LoopMessage[], maxBytes: number): number[] {
  const tail: number[] = [];
  let bytes = 0;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    bytes += messageBytes(messages[index]!);
    if (bytes > maxBytes) break;
    tail.push(index);
  }
  return tail;
}

/** A result means nothing without its call. */
function withTheirCalls(messages: readonly LoopMessage[], needed: Set<number>): Set<number> {
  const called = new Set([...needed].map((index) => messages[index]!.toolResult?.toolCallId));
  messages.forEach(({ toolCall }, index) => {
    if (toolCall && called.has(toolCall.id)) needed.add(index);
  });
  return needed;
}
