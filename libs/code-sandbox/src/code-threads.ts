import type { CodeLimits } from './code-limits.js';
import { CodeThread } from './code-thread.js';

interface IdleThread {
  readonly thread: CodeThread;
  readonly timer: NodeJS.Timeout;
}

/** The threads of a sandbox: those that wait for work are used again, and end when none comes for a while. */
export class CodeThreads {
  /** The one that was used last is used first, so that the others can end when there is less to do. */
  private readonly idle: IdleThread[] = [];
  private isClosed = false;

  constructor(
    private readonly limits: CodeLimits,
    private readonly idleMs: number,
  ) {}

  async take(signal: AbortSignal): Promise<CodeThread> {
    for (let kept = this.idle.pop(); kept; kept = this.idle.pop()) {
      clearTimeout(kept.timer);
      if (kept.thread.hasEnded) continue;
      kept.thread.wake();
      return kept.thread;
    }
    return CodeThread.start({ limits: this.limits }, signal);
  }

  /** Takes it back after a run. Resolves when it waits for the next, or has ended. */
  async give(thread: CodeThread): Promise<void> {
    if (!(await thread.isReady())) return;
    if (this.isClosed) return thread.end();
    thread.rest();
    const timer = setTimeout(() => void this.drop(thread), this.idleMs);
    timer.unref();
    this.idle.push({ thread, timer });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const threads = this.idle.map(({ thread }) => thread);
    await Promise.all(threads.map((thread) => this.drop(thread)));
  }

  private async drop(thread: CodeThread): Promise<void> {
    const [kept] = this.idle.splice(
      this.idle.findIndex((one) => one.thread === thread),
      1,
    );
    clearTimeout(kept!.timer);
    await thread.end();
  }
}
