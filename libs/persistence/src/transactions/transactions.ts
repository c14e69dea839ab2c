import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, EntityManager } from 'typeorm';
import { isRetryableConflict } from '../pg-errors.js';

interface OpenTransaction {
  readonly manager: EntityManager;
  readonly afterCommit: (() => void)[];
}

const maxTries = 3;

/**
 * The transaction of the current call chain. Repositories ask for `manager` or `query` and need not know
 * whether one is open; whoever opens one gets everything below it, or nothing.
 */
export class Transactions {
  private readonly storage = new AsyncLocalStorage<OpenTransaction>();

  constructor(private readonly dataSource: DataSource) {}

  /** Runs the work in the open transaction, or in one of its own that is run again after a deadlock. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.storage.getStore()) return work();
    for (let attempt = 1; ; attempt += 1) {
      const afterCommit: (() => void)[] = [];
      try {
        const result = await this.dataSource.transaction((manager) =>
          this.storage.run({ manager, afterCommit }, work),
        );
        for (const callback of afterCommit) callback();
        return result;
      } catch (error) {
        if (attempt >= maxTries || !isRetryableConflict(error)) throw error;
      }
    }
  }

  /** Undoes the work alone if it throws, and lets the transaction around it go on. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const open = this.require();
    await open.manager.query('SAVEPOINT work');
    try {
      const result = await work();
      await open.manager.query('RELEASE SAVEPOINT work');
      return result;
    } catch (error) {
      await open.manager.query('ROLLBACK TO SAVEPOINT work');
      throw error;
    }
  }

  get manager(): EntityManager {
    return this.storage.getStore()?.manager ?? this.dataSource.manager;
  }

  get active(): boolean {
    return this.storage.getStore() !== undefined;
  }

  async query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.manager.query<Row[]>(sql, parameters);
  }

  /** Called once the open transaction has committed; never if it has not. Must not throw. */
  afterCommit(callback: () => void): void {
    this.require().afterCommit.push(callback);
  }

  private require(): OpenTransaction {
    const open = this.storage.getStore();
    if (!open) throw new Error('This must run inside a transaction');
    return open;
  }
}
