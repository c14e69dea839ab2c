import type { ToolCallIntent, Entry, Journal, LoopMessage, Recorded } from '../src/loop/journal.js';
import type { Limits, RunState } from '../src/loop/run-state.js';

export const plenty: Limits = { steps: 100, activeMs: 3_600_000, messages: 10_000, messageBytes: 2 ** 25 };

export interface MemoryJournalOptions {
  readonly procedure?: string;
  readonly message?: string;
  readonly left?: Limits;
  readonly humanInTheLoop?: boolean;
}

/** Keeps a run in memory as the product keeps it in Postgres: messages in the order in which they were stored. */
export class MemoryJournal implements Journal {
  readonly entries: Entry[] = [];
  readonly messages: LoopMessage[] = [];
  private unseen: LoopMessage[] = [];
  private scriptPosition = 0;
  /** The call that was about to be made and has not ended. */
  intent: ToolCallIntent | undefined;
  /** Whether the store has lost what it had last. */
  isInDoubt = false;
  private left: Limits;

  constructor(private readonly options: MemoryJournalOptions = {}) {
    this.left = options.left ?? plenty;
    if (options.message !== undefined) this.post(options.message);
  }

  /** The run as its last stored step left it. */
  load(): RunState {
    this.unseen = [];
    return {
      runId: 'run-1',
      teamId: 'team-1',
      agentId: 'agent-1',
      sandboxId: 'sandbox-1',
      fence: 'fence-1',
      procedure: this.options.procedure ?? '',
      humanInTheLoop: this.options.humanInTheLoop ?? true,
      messages: [...this.messages],
      omitted: 0,
      scriptPosition: this.scriptPosition,
      intent: this.intent && { ...this.intent, awaited: this.entries.at(-1)?.then.kind === 'await' },
      inDoubt: this.isInDoubt,
      left: this.left,
    };
  }

  async recordIntent({ name, attempts }: ToolCallIntent): Promise<void> {
    this.intent = { name, attempts };
  }

  async record(entry: Entry): Promise<Recorded> {
    const posted = this.unseen;
    this.unseen = [];
    if (entry.then.kind === 'complete' && posted.length > 0) return { stored: false, posted };
    this.entries.push(entry);
    if (entry.step) this.intent = undefined;
    this.messages.push(...entry.messages);
    this.scriptPosition = entry.scriptPosition;
    this.left = limitsAfter(this.left, entry);
    return { stored: true, posted };
  }

  post(text: string): void {
    const message = { type: 'text', role: 'user', text } as const;
    this.messages.push(message);
    this.unseen.push(message);
  }

  /** Settles what the last entry asked. */
  answer(result: unknown): void {
    const then = this.entries.at(-1)?.then;
    if (then?.kind !== 'ask') throw new Error('nothing was asked');
    const { toolCallId } = then;
    this.messages.push({ type: 'tool_result', role: 'tool', toolResult: { toolCallId, result } });
  }

  /** All texts of the assistant. */
  get said(): (string | undefined)[] {
    const texts = this.messages.filter(({ type, role }) => type === 'text' && role === 'assistant');
    return texts.map(({ text }) => text);
  }
}

function limitsAfter(left: Limits, { step, activeMs }: Entry): Limits {
  const { inputTokens = 0, outputTokens = 0 } = step?.usage ?? {};
  return {
    ...left,
    steps: left.steps - (step ? 1 : 0),
    activeMs: left.activeMs - activeMs,
    tokens: left.tokens === undefined ? undefined : left.tokens - inputTokens - outputTokens,
  };
}
