import type { RunError } from '@aos/contracts';
import type { Tracing } from '@aos/platform';
import type { Model, ModelRequest, ModelTurn, ToolCall } from '../models/model.js';
import type { RetryOptions } from '../retries/retrying.js';
import type { ToolBox } from '../tools/tool-box.js';
import { Conversation } from './conversation.js';
import { Interruption } from './interruption.js';
import type { AfterStep, Entry, Journal, LoopMessage } from './journal.js';
import { messageBytes } from './message-size.js';
import { firstOpenCall, toModelMessages } from './model-messages.js';
import { afterTurn, keepable, keptOf, modelFailure, stepOfTurn, timeIsOver } from './model-step.js';
import type { RunState } from './run-state.js';
import { systemClock, TimeLimit, type Clock } from './time-limit.js';
import {
  attemptsOf,
  callTool,
  endedCall,
  forgotten,
  interrupted,
  mayBegin,
  mayBeginInDoubt,
  stepOfTool,
  wasForgotten,
  type CalledTool,
} from './tool-step.js';
import { trimContext } from './trim-context.js';

export interface StepLoopOptions {
  readonly state: RunState;
  readonly model: Model;
  readonly tools: ToolBox;
  /** Asked before each model turn for what takes their place; undefined if they are still the same. */
  readonly changedTools?: () => Promise<ToolBox | undefined>;
  readonly journal: Journal;
  /** Aborted when the run is stopped or no longer this worker's: nothing more is recorded. */
  readonly signal: AbortSignal;
  /** Aborted when the worker wants to end: no step begins, and only a call that must not be made again may end. */
  readonly leaving?: AbortSignal;
  /** How much a model is shown; Infinity for one that reads everything it is given, such as the scripted one. */
  readonly contextChars: number;
  /** How much of the run is kept in memory, beside what a model may always need. */
  readonly memoryBytes: number;
  readonly clock?: Clock;
  /** How tools are tried again. */
  readonly retry?: Partial<RetryOptions>;
  /** Has a span for each call of a tool. */
  readonly tracing?: Tracing;
  /** For the log: the model is only told that the tool failed. */
  readonly onToolError?: (error: unknown, call: ToolCall) => void;
}

export type LoopEnd = 'completed' | 'failed' | 'asked' | 'sleeping';

/**
 * Carries a run on from its last stored step until it ends or lets go. Each step is stored before the next begins.
 * Throws the reason of a signal, what the journal throws, and what a model throws that is no ModelError.
 */
export async function runSteps(options: StepLoopOptions): Promise<LoopEnd> {
  const interruption = new Interruption(options.signal, options.leaving);
  const limit = new TimeLimit(options.state.left.activeMs, interruption.signal);
  try {
    return await new StepLoop(options, interruption, limit).run();
  } finally {
    limit.clear();
    interruption.clear();
  }
}

/** Every model in use lets an answer be this long. */
const smallestOutputLimit = 4_096;

type Draft = Omit<Entry, 'activeMs'>;

const tooManyMessages: RunError = {
  code: 'limit_reached',
  message: 'The run has as many messages as it may have, or they take as much room as they may.',
};

function bytesOf(messages: readonly LoopMessage[]): number {
  return messages.reduce((sum, message) => sum + messageBytes(message), 0);
}

const ends: Readonly<Record<AfterStep['kind'], LoopEnd | undefined>> = {
  'go-on': undefined,
  complete: 'completed',
  fail: 'failed',
  ask: 'asked',
  sleep: 'sleeping',
  await: 'sleeping',
};

class StepLoop {
  private readonly clock: Clock;
  private readonly conversation: Conversation;
  private readonly left: {
    steps: number;
    tokens: number | undefined;
    messages: number;
    messageBytes: number;
  };
  private readonly startedMs: number;
  private recordedMs: number;
  private scriptPosition: number;
  private intent: RunState['intent'];
  private tools: ToolBox;

  constructor(
    private readonly options: StepLoopOptions,
    private readonly interruption: Interruption,
    private readonly limit: TimeLimit,
  ) {
    const { state, clock = systemClock } = options;
    const { steps, tokens, messages, messageBytes: bytes } = state.left;
    this.clock = clock;
    this.conversation = new Conversation(state, options.memoryBytes);
    this.left = { steps, tokens, messages, messageBytes: bytes };
    this.scriptPosition = state.scriptPosition;
    this.intent = state.intent;
    this.tools = options.tools;
    this.startedMs = this.recordedMs = this.elapsedMs();
  }

  async run(): Promise<LoopEnd> {
    for (;;) {
      this.interruption.throwIfLeaving();
      const forbidden = this.limitReached();
      const draft = forbidden ? this.end(forbidden) : await this.nextStep();
      this.interruption.signal.throwIfAborted();
      const end = ends[await this.record(draft)];
      if (end) return end;
    }
  }

  private limitReached(): RunError | undefined {
    const { steps, tokens } = this.left;
    if (steps <= 0) {
      return { code: 'max_steps_exceeded', message: 'The run has taken as many steps as it may.' };
    }
    if (tokens !== undefined && tokens <= 0) {
      return { code: 'budget_exceeded', message: 'The run has used up its token budget.' };
    }
    return this.activeMsLeft() <= 0 ? timeIsOver : undefined;
  }

  private end(error: RunError): Draft {
    return { messages: [], scriptPosition: this.scriptPosition, then: { kind: 'fail', error } };
  }

  private async nextStep(): Promise<Draft> {
    const call = firstOpenCall(this.conversation.messages);
    if (call) return this.toolStep(call);
    const { changedTools } = this.options;
    if (changedTools) this.tools = (await changedTools()) ?? this.tools;
    return this.modelStep();
  }

  private async modelStep(): Promise<Draft> {
    const startedAt = this.clock.now();
    let given: ModelTurn | undefined;
    try {
      given = await this.limit.within(() => this.options.model.generate(this.request()));
      const turn = keepable(given, this.conversation);
      const then = afterTurn(turn, this.conversation.messages, this.activeMsLeft());
      const { attempts = 1, usage, toolCalls, scriptPosition = this.scriptPosition } = turn;
      const cost = { startedAt, attempts, usage, toolCalls: toolCalls.length };
      const step = { ...stepOfTurn(then, this.clock.now()), ...cost };
      return { step, ...keptOf(turn), scriptPosition, then };
    } catch (failure) {
      // An answer that cannot be kept is paid for all the same.
      const { error, attempts, usage = given?.usage, messages } = modelFailure(failure);
      const draft = { ...this.end(error), messages };
      const cost = { startedAt, attempts, usage };
      return { ...draft, step: { ...stepOfTurn(draft.then, this.clock.now()), ...cost } };
    }
  }

  private request(): ModelRequest {
    const { state, contextChars } = this.options;
    const { messages, omitted } = this.conversation;
    return {
      system: state.procedure,
      messages: trimContext(toModelMessages(messages), contextChars, omitted),
      tools: this.tools.descriptions(),
      temperature: state.temperature,
      maxOutputTokens: this.outputCap(),
      scriptPosition: this.scriptPosition,
      signal: this.limit.signal,
    };
  }

  /** Near its end the budget also cuts answers; earlier it is more than some providers let one ask for. */
  private outputCap(): number | undefined {
    const { tokens } = this.left;
    return tokens !== undefined && tokens <= smallestOutputLimit ? tokens : undefined;
  }

  private async toolStep(call: ToolCall): Promise<Draft> {
    const startedAt = this.clock.now();
    const startedMs = this.elapsedMs();
    const { outcome, attempts, timeIsOver: late } = await this.callTool(call, startedAt);
    const step = { name: call.name, startedAt, attempts };
    const { scriptPosition } = this;
    if (outcome.kind === 'later') {
      return { messages: [], scriptPosition, then: { kind: 'await', ms: outcome.afterMs } };
    }
    if (outcome.kind === 'ask') {
      const { request } = outcome;
      return {
        step: { ...step, kind: 'human', status: 'running', completedAt: null },
        messages: [{ type: 'human_request', role: 'assistant', text: request.title }],
        scriptPosition,
        then: { kind: 'ask', request, toolCallId: call.id },
      };
    }
    return {
      ...endedCall(call, outcome, this.elapsedMs() - startedMs),
      step: { ...step, ...stepOfTool(outcome, this.clock.now()) },
      scriptPosition,
      then: late ? { kind: 'fail', error: timeIsOver } : { kind: 'go-on' },
    };
  }

  private async callTool(call: ToolCall, startedAt: Date): Promise<CalledTool> {
    const { state, retry, tracing, onToolError, journal } = this.options;
    const { runId, teamId, agentId, sandboxId, fence, humanInTheLoop } = state;
    const { limit, intent, tools } = this;
    this.intent = undefined;
    const tool = tools.find(call.name);
    if (intent && !mayBegin(tool, call, intent)) return { ...interrupted, attempts: intent.attempts };
    const isDoubtful = state.inDoubt && !intent && !mayBeginInDoubt(tool, call);
    if (isDoubtful && !wasForgotten(call, this.conversation.messages)) return { ...forgotten, attempts: 0 };
    if (tool && !tool.isInstant && !tool.isRepeatable(call.arguments)) this.interruption.spare();
    const before = attemptsOf(intent);
    if (tool && !tool.isInstant)
      await journal.recordIntent({ name: call.name, attempts: before + 1, startedAt });
    const run = { runId, teamId, agentId, sandboxId, fence, humanInTheLoop };
    const context = { ...run, callId: call.id, signal: limit.signal };
    const called = await callTool(call, context, { tools, limit, retry, tracing, onToolError });
    return { ...called, attempts: before + called.attempts };
  }

  /** Stores a step, and makes its changes and what was posted meanwhile part of the run. */
  private async record(draft: Draft): Promise<AfterStep['kind']> {
    const now = this.elapsedMs();
    const fitting = this.withinLimits(draft);
    const sleptMs = fitting.then.kind === 'sleep' ? fitting.then.ms : 0;
    const entry = await this.store({ ...fitting, activeMs: now - this.recordedMs + sleptMs });
    this.recordedMs = now;
    this.add(entry.messages);
    this.scriptPosition = entry.scriptPosition;
    this.left.steps -= 1;
    const { inputTokens, outputTokens } = entry.step?.usage ?? { inputTokens: 0, outputTokens: 0 };
    if (this.left.tokens !== undefined) this.left.tokens -= inputTokens + outputTokens;
    return entry.then.kind;
  }

  private add(messages: readonly LoopMessage[]): void {
    this.conversation.push(...messages);
    this.left.messages -= messages.length;
    this.left.messageBytes -= bytesOf(messages);
  }

  /** A step that brings more messages than the run may still get is its last, and they are not kept. */
  private withinLimits(draft: Draft): Draft {
    const { messages } = draft;
    const fits = messages.length <= this.left.messages && bytesOf(messages) <= this.left.messageBytes;
    if (fits || messages.length === 0) return draft;
    const step = draft.step && { ...draft.step, status: 'failed' as const, error: tooManyMessages.message };
    return { ...this.end(tooManyMessages), step };
  }

  private async store(entry: Entry): Promise<Entry> {
    const first = await this.options.journal.record(entry);
    this.add(first.posted);
    if (first.stored) return entry;
    const goingOn: Entry = { ...entry, then: { kind: 'go-on' } };
    const second = await this.options.journal.record(goingOn);
    this.add(second.posted);
    return goingOn;
  }

  private activeMsLeft(): number {
    return this.options.state.left.activeMs - (this.elapsedMs() - this.startedMs);
  }

  /** Whole milliseconds, so that those of all entries add up. */
  private elapsedMs(): number {
    return Math.floor(this.clock.monotonicMs());
  }
}
