import { setTimeout as delay } from 'node:timers/promises';
import type { ExitInfo } from '@aos/local-infra';
import { exitBadConfig } from './config-problems.js';
import { failuresBefore, restartDelayMs } from './restart-policy.js';

export interface RunningUnit {
  readonly pid: number | undefined;
  readonly exited: Promise<ExitInfo>;
  stop(): Promise<void>;
  kill(): void;
}

/** Something that is kept running: a store, or one process of a service. */
export interface Unit {
  readonly name: string;
  start(): Promise<RunningUnit>;
}

export interface SupervisorOptions {
  say: (line: string) => void;
  /** Called after every start and every end. */
  onChange: () => void;
  /** Called when a unit ended because of its settings; it is not started again. */
  onBadConfig: (name: string) => void;
}

interface Entry {
  unit: Unit;
  running: RunningUnit | undefined;
  stopping: AbortController;
  /** Ends when the unit has been stopped for good. */
  loop: Promise<void>;
}

/** Starts units, starts them again when they end, and stops them in the order it is told. */
export class Supervisor {
  readonly #entries = new Map<string, Entry>();
  readonly #options: SupervisorOptions;
  #closed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Rejects when the first start fails; from then on the unit is kept running. */
  async start(unit: Unit): Promise<void> {
    if (this.#closed) throw new Error(`${unit.name} is not started, for the program is stopping`);
    const entry: Entry = {
      unit,
      running: undefined,
      stopping: new AbortController(),
      loop: Promise.resolve(),
    };
    this.#entries.set(unit.name, entry);
    const started = this.#begin(entry);
    entry.loop = started.then(
      () => this.#keepRunning(entry),
      () => undefined,
    );
    await started;
  }

  pidOf(name: string): number | undefined {
    return this.#entries.get(name)?.running?.pid;
  }

  /** Resolves when the units are gone, also those that were just starting. Nothing new is started after it. */
  async stop(names: readonly string[]): Promise<void> {
    this.#closed = true;
    await Promise.all(
      names.map(async (name) => {
        const entry = this.#entries.get(name);
        entry?.stopping.abort();
        await entry?.running?.stop();
        await entry?.loop;
      }),
    );
  }

  kill(names: readonly string[]): void {
    for (const name of names) {
      const entry = this.#entries.get(name);
      entry?.stopping.abort();
      entry?.running?.kill();
    }
  }

  async #begin(entry: Entry): Promise<void> {
    const running = await entry.unit.start();
    entry.running = running;
    // Asked to stop while it was starting.
    if (entry.stopping.signal.aborted) await running.stop();
    this.#options.onChange();
  }

  async #keepRunning(entry: Entry): Promise<void> {
    let failures = 0;
    while (entry.running) {
      const startedAt = Date.now();
      const exit = await entry.running.exited;
      entry.running = undefined;
      this.#options.onChange();
      if (entry.stopping.signal.aborted) return;
      if (exit.code === exitBadConfig) return this.#options.onBadConfig(entry.unit.name);
      failures = failuresBefore(failures, Date.now() - startedAt);
      this.#announceRestart(entry, describeExit(exit), failures);
      failures = await this.#restart(entry, failures);
    }
  }

  /** Tries until it runs again or is to stop; returns the failures so far. */
  async #restart(entry: Entry, failuresSoFar: number): Promise<number> {
    const { signal } = entry.stopping;
    for (let failures = failuresSoFar; ; failures++) {
      // Rejects when the wait is cut short by the stop.
      await delay(restartDelayMs(failures), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return failures;
      try {
        await this.#begin(entry);
        return failures + 1;
      } catch (error) {
        this.#announceRestart(entry, (error as Error).message, failures + 1);
      }
    }
  }

  #announceRestart({ unit }: Entry, reason: string, failures: number): void {
    const wait = restartDelayMs(failures);
    const when = wait === 0 ? 'now' : `in ${wait / 1000} s`;
    this.#options.say(`${unit.name} ended (${reason}); starting it again ${when}`);
  }
}

function describeExit({ code, signal, error }: ExitInfo): string {
  if (error) return error.message;
  return signal ? `by ${signal}` : `with code ${code}`;
}
