import { setInterval as ticks } from 'node:timers/promises';
import type { ServiceUnit } from './service-unit.js';

type Announced = Pick<ServiceUnit, 'name' | 'source'>;

const reminderMs = 30_000;

export interface ReadinessBoardOptions {
  say: (line: string) => void;
  pathOf: (source: string) => string;
}

/** Keeps which processes have said that they are ready, and tells it to the person who waits. */
export class ReadinessBoard {
  readonly #ready = new Set<string>();
  readonly #options: ReadinessBoardOptions;
  #wake: () => void = () => undefined;

  constructor(options: ReadinessBoardOptions) {
    this.#options = options;
  }

  markReady({ name }: Announced): void {
    this.#options.say(this.#ready.has(name) ? `${name} is ready again` : `${name} is ready`);
    this.#ready.add(name);
    this.#wake();
  }

  /** Resolves when each has been ready once. Rejects when the signal is raised. */
  async allReady(units: readonly Announced[], signal: AbortSignal): Promise<void> {
    const waiting = () => units.filter(({ name }) => !this.#ready.has(name));
    const done = new AbortController();
    const all = new Promise<void>((resolve) => {
      this.#wake = () => {
        if (waiting().length === 0) resolve();
      };
      this.#wake();
    });
    try {
      await Promise.race([all, this.#remind(waiting, AbortSignal.any([signal, done.signal]))]);
    } finally {
      done.abort();
    }
  }

  async #remind(waiting: () => readonly Announced[], signal: AbortSignal): Promise<never> {
    for await (const _ of ticks(reminderMs, undefined, { signal })) {
      for (const { name, source } of waiting()) {
        this.#options.say(`still waiting for ${name}; see ${this.#options.pathOf(source)}`);
      }
    }
    throw new Error('the reminders ended');
  }
}
