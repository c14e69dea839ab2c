import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The outcome of one item of a batch; an item that fails does so alone. */
export type BatchOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown };

export interface BatcherOptions<Item, Result> {
  readonly maxSize: number;
  /** Gets at least one item; must return one outcome for each, in order. */
  readonly run: (items: readonly Item[]) => Promise<readonly BatchOutcome<Result>[]>;
  /** Whether one bad item may be the reason why a batch failed as a whole: then each is tried alone. */
  readonly tryAlone?: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Micro-batches: what arrives while one batch is under way forms the next. A single call is never held back;
 * under load many share one statement.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running: Promise<void> | undefined;
  /** A batch belongs to no caller: it may not run in the transaction of the one that came first. */
  private readonly context = new AsyncResource('Batcher');

  constructor(private readonly options: BatcherOptions<Item, Result>) {}

  add(item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.running ??= this.context.runInAsyncScope(() => this.drain());
    });
  }

  /** Resolves when nothing is waiting or under way. */
  async settle(): Promise<void> {
    await this.running;
  }

  private async drain(): Promise<void> {
    await this.gather();
    while (this.waiting.length > 0) await this.runBatch(this.waiting.splice(0, this.options.maxSize));
    this.running = undefined;
  }

  /**
   * Lets the calls of this turn of the event loop, which may come of several requests, join the first batch. Where some
   * do, the next turn brings as many: requests come in bursts, and the rest of one would be a batch of its own.
   */
  private async gather(): Promise<void> {
    await nextTurn();
    if (this.waiting.length > 1) await nextTurn();
  }

  private async runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await this.options.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index];
        if (outcome?.ok) resolve(outcome.value);
        else reject(outcome?.error ?? new Error('The batch has no outcome for this item'));
      });
    } catch (error) {
      if (batch.length > 1 && this.options.tryAlone?.(error)) {
        for (const one of batch) await this.runBatch([one]);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }
}
