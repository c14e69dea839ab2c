import type { Logger } from '../logging/logger.js';

/** `starting`: has not passed yet since the process began. */
export type CheckState = 'ok' | 'failing' | 'starting';

/** Safe to show to anyone: no hosts, no messages; the causes are in the log. */
export interface Readiness {
  ok: boolean;
  checks: Record<string, CheckState>;
}

/** Resolves when the thing can be used, rejects with the reason when not. */
export type HealthCheck = () => unknown;

export interface HealthOptions {
  timeoutMs?: number;
  /** For how long an answer is given again, so that probes cannot hammer the stores. */
  cacheMs?: number;
}

interface RegisteredCheck {
  name: string;
  check: HealthCheck;
  timeoutMs: number;
  state: CheckState;
  /** True once a failure was logged, until it passes again. */
  reported: boolean;
  running: Promise<unknown> | undefined;
}

/** Readiness of a service as the sum of named checks, run concurrently and at most every `cacheMs`. */
export class HealthRegistry {
  private readonly checks = new Map<string, RegisteredCheck>();
  private readonly holds = new Map<string, CheckState>();
  private readonly timeoutMs: number;
  private readonly cacheMs: number;
  private round: Promise<void> | undefined;
  private roundEndedAt = -Infinity;
  private draining = false;

  constructor(
    private readonly logger: Logger,
    { timeoutMs = 2000, cacheMs = 500 }: HealthOptions = {},
  ) {
    this.timeoutMs = timeoutMs;
    this.cacheMs = cacheMs;
  }

  add(name: string, check: HealthCheck, options: { timeoutMs?: number } = {}): void {
    if (this.checks.has(name)) throw new Error(`There is a health check named ${name} already.`);
    const timeoutMs = options.timeoutMs ?? this.timeoutMs;
    this.checks.set(name, {
      name,
      check,
      timeoutMs,
      state: 'starting',
      reported: false,
      running: undefined,
    });
    this.roundEndedAt = -Infinity;
  }

  /** Not ready until what is returned is called. Nothing is wrong meanwhile, so that nothing is logged. */
  hold(name: string): () => void {
    this.holds.set(name, 'starting');
    return () => void this.holds.set(name, 'ok');
  }

  /** The event loop turns; nothing outside the process is asked. */
  live(): { ok: true } {
    return { ok: true };
  }

  async ready(): Promise<Readiness> {
    // A draining service has to say so at once, even when a store hangs.
    if (!this.draining) await this.refresh();
    const states = new Map(this.holds);
    for (const { name, state } of this.checks.values()) states.set(name, state);
    return {
      ok: !this.draining && [...states.values()].every((state) => state === 'ok'),
      checks: Object.fromEntries(states),
    };
  }

  /** From now on not ready: the balancer sends no new work while the old is finished. */
  setDraining(): void {
    this.draining = true;
  }

  private async refresh(): Promise<void> {
    if (!this.round && performance.now() - this.roundEndedAt < this.cacheMs) return;
    this.round ??= this.runAll().finally(() => {
      this.round = undefined;
      this.roundEndedAt = performance.now();
    });
    await this.round;
  }

  private async runAll(): Promise<void> {
    await Promise.all([...this.checks.values()].map((check) => this.runOne(check)));
  }

  private async runOne(entry: RegisteredCheck): Promise<void> {
    // A check that hangs is not started a second time beside itself.
    entry.running ??= Promise.resolve()
      .then(entry.check)
      .finally(() => (entry.running = undefined));
    try {
      await within(entry.running, entry.timeoutMs);
      if (entry.reported) this.logger.info({ check: entry.name }, 'health check passes again');
      entry.state = 'ok';
      entry.reported = false;
    } catch (err) {
      if (!entry.reported) this.logger.warn({ check: entry.name, err }, 'health check fails');
      if (entry.state === 'ok') entry.state = 'failing';
      entry.reported = true;
    }
  }
}

async function within(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
