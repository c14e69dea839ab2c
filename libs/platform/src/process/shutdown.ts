import type { Logger } from '../logging/logger.js';

/** Take no new work → finish what is under way → let go of connections. */
export const shutdownPhases = ['stop-intake', 'drain', 'close'] as const;
export type ShutdownPhase = (typeof shutdownPhases)[number];

export interface ShutdownResult {
  /** Everything ended, in time and without an error. */
  clean: boolean;
  durationMs: number;
}

interface Step {
  name: string;
  fn: () => unknown;
}

// Work that does not drain in time must not cost the connections their orderly end.
const closeShare = 0.2;

/**
 * Ends a process in ordered phases. The steps of a phase run side by side; one that fails or
 * takes longer than the grace is logged, and the next phase goes on.
 */
export class Shutdown {
  private readonly steps: Record<ShutdownPhase, Step[]> = { 'stop-intake': [], drain: [], close: [] };
  private readonly begun = new Set<ShutdownPhase>();
  private running: Promise<ShutdownResult> | undefined;

  constructor(
    readonly logger: Logger,
    private readonly graceMs: number,
  ) {}

  add(phase: ShutdownPhase, name: string, fn: () => unknown): void {
    if (this.begun.has(phase)) throw new Error(`${name} came too late: the shutdown has passed "${phase}".`);
    this.steps[phase].push({ name, fn });
  }

  /** Idempotent: every call waits for the one shutdown. Never rejects. */
  run(reason: string): Promise<ShutdownResult> {
    this.running ??= this.runPhases(reason);
    return this.running;
  }

  private async runPhases(reason: string): Promise<ShutdownResult> {
    const startedAt = performance.now();
    this.logger.info({ reason, grace_ms: this.graceMs }, 'shutting down');
    let clean = true;
    for (const phase of shutdownPhases) {
      const budgetMs = this.graceMs * (phase === 'close' ? 1 : 1 - closeShare);
      const deadline = startedAt + budgetMs;
      this.begun.add(phase);
      const ended = await Promise.all(this.steps[phase].map((step) => this.runStep(phase, step, deadline)));
      clean &&= ended.every(Boolean);
    }
    const durationMs = Math.round(performance.now() - startedAt);
    this.logger.info({ reason, clean, duration_ms: durationMs }, 'shutdown complete');
    return { clean, durationMs };
  }

  private async runStep(phase: ShutdownPhase, { name, fn }: Step, deadline: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), Math.max(0, deadline - performance.now()));
    });
    try {
      const outcome = await Promise.race([Promise.resolve().then(fn), late]);
      if (outcome !== 'late') return true;
      this.logger.error({ phase, step: name }, 'shutdown step exceeded the grace period');
    } catch (err) {
      this.logger.error({ phase, step: name, err }, 'shutdown step failed');
    } finally {
      clearTimeout(timer);
    }
    return false;
  }
}
