import { StartError } from './start-error.js';

// The others read their settings within a second or two of their start; those that are slow are told at the next try.
const defaultPatienceMs = 15_000;

export interface ConfigRefusalsOptions {
  /** What is wrong, once it is known who refused. */
  problemsOf: (refused: readonly string[]) => readonly string[];
  patienceMs?: number;
}

/** Waits, when one process has refused its settings, for what the others say of theirs, so that all is told at once. */
export class ConfigRefusals {
  /** Rejects with all problems; never resolves. */
  readonly verdict: Promise<never>;
  readonly #options: ConfigRefusalsOptions;
  readonly #refused = new Set<string>();
  #undecided = new Set<string>();
  #reject: (error: Error) => void = () => undefined;

  constructor(options: ConfigRefusalsOptions) {
    this.#options = options;
    this.verdict = new Promise<never>((_, reject) => (this.#reject = reject));
    // The caller that waits for it may have gone.
    this.verdict.catch(() => undefined);
  }

  /** The processes that are about to start. */
  expect(names: readonly string[]): void {
    this.#undecided = new Set(names);
  }

  markReady(name: string): void {
    this.#undecided.delete(name);
    this.#decide();
  }

  markRefused(name: string): void {
    if (this.#refused.size === 0) {
      setTimeout(() => this.#end(), this.#options.patienceMs ?? defaultPatienceMs).unref();
    }
    this.#refused.add(name);
    this.#undecided.delete(name);
    this.#decide();
  }

  #decide(): void {
    if (this.#refused.size > 0 && this.#undecided.size === 0) this.#end();
  }

  #end(): void {
    const [first = 'a service refused its settings', ...others] = this.#options.problemsOf([
      ...this.#refused,
    ]);
    this.#reject(new StartError([first, ...others]));
  }
}
