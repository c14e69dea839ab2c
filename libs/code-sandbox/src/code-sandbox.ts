import { FairLimiter } from '@aos/background';
import { defaultCodeLimits, maxCodeBytes, formatBytes, type CodeLimits } from './code-limits.js';
import { failed, type CodeOutcome } from './code-outcome.js';
import { CodeThreads } from './code-threads.js';
import type { CodeThread } from './code-thread.js';
import type { CodeFiles } from './file-calls.js';

export interface CodeSandboxOptions {
  readonly limits?: Partial<CodeLimits>;
  /** Threads at the same time; further runs wait. */
  readonly maxWorkers?: number;
  /** How long a thread is kept that nothing runs in. */
  readonly idleMs?: number;
}

export interface CodeRunOptions {
  readonly files: CodeFiles;
  readonly signal?: AbortSignal;
  /** A free thread goes to the owner with the fewest runs in progress; by default all runs have the same owner. */
  readonly owner?: string;
}

/** Runs of one agent that come one after the other find it warm; a service that has long run no code has no threads. */
const keptIdleMs = 10_000;

/** Runs untrusted JavaScript, apart from this process and from all other runs. */
export class CodeSandbox {
  private readonly limiter: FairLimiter;
  private readonly threads: CodeThreads;
  private readonly runs = new Map<AbortController, Promise<CodeOutcome>>();
  /** Releases that wait until a thread is ready for the next run. */
  private readonly returns = new Set<Promise<void>>();
  private isClosed = false;

  constructor({ limits = {}, maxWorkers = 2, idleMs = keptIdleMs }: CodeSandboxOptions = {}) {
    this.limiter = new FairLimiter({ maxConcurrent: maxWorkers, shareFactor: Infinity });
    this.threads = new CodeThreads({ ...defaultCodeLimits, ...limits }, idleMs);
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
    const run = this.runWithinLimit(code, { files, signal: ending.signal, owner });
    this.runs.set(ending, run);
    try {
      return await run;
    } finally {
      this.runs.delete(ending);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Ends all runs, which reject, and waits until all threads have ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const ending of this.runs.keys()) ending.abort(closed());
    await Promise.allSettled(this.runs.values());
    await this.threads.close();
    await Promise.all(this.returns);
  }

  private async runWithinLimit(
    code: string,
    { files, signal, owner }: Required<CodeRunOptions>,
  ): Promise<CodeOutcome> {
    await this.limiter.acquire(owner, signal);
    let thread: CodeThread | undefined;
    try {
      thread = await this.threads.take(signal);
      signal.throwIfAborted();
      return await thread.run(code, { files, signal });
    } finally {
      this.releaseAfter(owner, thread);
    }
  }

  /** Releases capacity once the thread is ready: the next run would find no thread otherwise, and start another. */
  private releaseAfter(owner: string, thread: CodeThread | undefined): void {
    const returned = (thread ? this.threads.give(thread) : Promise.resolve()).finally(() => {
      this.returns.delete(returned);
      this.limiter.release(owner);
    });
    this.returns.add(returned);
  }
}

const closed = () => new Error('The code sandbox is closed.');
