import { defaultCodeLimits, maxCodeBytes, formatBytes, type CodeLimits } from './code-limits.js';
import { failed, type CodeOutcome } from './code-outcome.js';
import { runInThread } from './code-thread.js';
import type { CodeFiles } from './file-calls.js';
import { Turns } from './turns.js';

export interface CodeSandboxOptions {
  readonly limits?: Partial<CodeLimits>;
  /** Threads at the same time; further runs wait. */
  readonly maxWorkers?: number;
}

export interface CodeRunOptions {
  readonly files: CodeFiles;
  readonly signal?: AbortSignal;
  /** Those who wait for a thread take turns by owner; by default all are of one. */
  readonly owner?: string;
}

/** Runs untrusted JavaScript, apart from this process and from all other runs. */
export class CodeSandbox {
  private readonly limits: CodeLimits;
  private readonly turns: Turns;
  private readonly runs = new Map<AbortController, Promise<CodeOutcome>>();
  private isClosed = false;

  constructor({ limits = {}, maxWorkers = 2 }: CodeSandboxOptions = {}) {
    this.limits = { ...defaultCodeLimits, ...limits };
    this.turns = new Turns(maxWorkers);
  }

  /**
   * Runs the code as the body of an async function. Whatever it does is an outcome; this rejects with the signal's
   * reason, when the sandbox is closed, and when no thread can be started.
   */
  async run(code: string, { files, signal, owner = '' }: CodeRunOptions): Promise<CodeOutcome> {
    signal?.throwIfAborted();
    if (this.isClosed) throw closed();
    if (Buffer.byteLength(code) > maxCodeBytes)
      return failed(`The code is too long: it may have ${formatBytes(maxCodeBytes)}.`);
    const ending = new AbortController();
    const abort = () => ending.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const run = this.runInTurn(
      owner,
      () => runInThread(code, { files, limits: this.limits, signal: ending.signal }),
      ending.signal,
    );
    this.runs.set(ending, run);
    try {
      return await run;
    } finally {
      this.runs.delete(ending);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Ends all runs, which reject, and waits until their threads have ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const ending of this.runs.keys()) ending.abort(closed());
    await Promise.allSettled(this.runs.values());
  }

  private async runInTurn(
    owner: string,
    run: () => Promise<CodeOutcome>,
    signal: AbortSignal,
  ): Promise<CodeOutcome> {
    await this.turns.take(owner, signal);
    try {
      return await run();
    } finally {
      this.turns.give(owner);
    }
  }
}

const closed = () => new Error('The code sandbox is closed.');
