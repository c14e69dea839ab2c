import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type {
  DataSource,
  EntityManager,
  EntityTarget,
  ObjectLiteral,
  QueryRunner,
  Repository,
} from 'typeorm';
import { ConnectionLost, isReleasedRunner, isRetryableConflict } from '../pg-errors.js';
import { lockName, tryLockName } from './transactions.sql.js';

interface OpenTransaction {
  readonly manager: EntityManager;
  /** How many savepoints lie around the current call chain. */
  readonly depth: number;
  readonly afterCommit: (() => void)[];
  /** Savepoints beside each other take turns: Postgres can only undo the latest. */
  turn: Promise<unknown>;
}

/**
 * The transaction of the current call chain. Repositories of features ask for `repository` or `query` and need not
 * know whether one is open; the caller that opens one gets everything below it, or nothing.
 */
export class Transactions {
  private readonly storage = new AsyncLocalStorage<OpenTransaction>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly onCallbackError: (error: unknown) => void = () => undefined,
  ) {}

  /** Runs the work in the open transaction, or in one of its own that is run again after a deadlock. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.storage.getStore()) return work();
    return retryOnConflict(() => this.runOnce(work));
  }

  /** Undoes the work alone if it throws, and lets the transaction around it go on. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const open = this.require();
    const turn = open.turn.then(() => this.runSavepoint(open, work));
    open.turn = turn.catch(() => undefined);
    return turn;
  }

  get manager(): EntityManager {
    return this.storage.getStore()?.manager ?? this.dataSource.manager;
  }

  /** TypeORM's repository of an entity, in the open transaction if there is one: for what is cold (ADR 18). */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.manager.getRepository(entity);
  }

  /**
   * Others that lock the same name wait until the open transaction ends: for what no row stands for, such as how many
   * things of a kind a team has. The name is of this service alone.
   */
  async lock(name: string): Promise<void> {
    this.require();
    await this.query(lockName, [name]);
  }

  /** The same without waiting: false if another transaction has the lock. For sweeps that one replica does at a time. */
  async tryLock(name: string): Promise<boolean> {
    this.require();
    const [row] = await this.query<{ locked: boolean }>(tryLockName, [name]);
    return row!.locked;
  }

  get active(): boolean {
    return this.storage.getStore() !== undefined;
  }

  async query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    const result = await this.manager.query<Row[] | [Row[], number]>(sql, parameters);
    return isChange(result) ? result[0] : result;
  }

  /** Called once the open transaction has committed; never if it, or the savepoint around the call, has not. */
  afterCommit(callback: () => void): void {
    this.require().afterCommit.push(callback);
  }

  private async runOnce<T>(work: () => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const afterCommit: (() => void)[] = [];
    const open = { manager: runner.manager, depth: 0, afterCommit, turn: Promise.resolve() };
    let result: T;
    try {
      await runner.startTransaction();
      result = await this.storage.run(open, work);
      await commit(runner);
    } catch (error) {
      // Fails when the connection is gone, and with it the transaction.
      await runner.rollbackTransaction().catch(() => undefined);
      throw isReleasedRunner(error) ? new ConnectionLost(error) : error;
    } finally {
      await runner.release();
    }
    for (const callback of afterCommit) this.call(callback);
    return result;
  }

  private async runSavepoint<T>(open: OpenTransaction, work: () => Promise<T>): Promise<T> {
    const name = `savepoint_${open.depth + 1}`;
    const inner = { ...open, depth: open.depth + 1, afterCommit: [], turn: Promise.resolve() };
    await open.manager.query(`SAVEPOINT ${name}`);
    let result: T;
    try {
      result = await this.storage.run(inner, work);
      await open.manager.query(`RELEASE SAVEPOINT ${name}`);
    } catch (error) {
      // Fails when the connection is gone; what comes next in the transaction will say so.
      await open.manager
        .query(`ROLLBACK TO SAVEPOINT ${name}; RELEASE SAVEPOINT ${name}`)
        .catch(() => undefined);
      throw error;
    }
    open.afterCommit.push(...inner.afterCommit);
    return result;
  }

  /** What was committed stays committed, whatever a callback does. */
  private call(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.onCallbackError(error);
    }
  }

  private require(): OpenTransaction {
    const open = this.storage.getStore();
    if (!open) throw new Error('This must run inside a transaction');
    return open;
  }
}

/**
 * If a statement has failed and its error was caught, Postgres answers COMMIT with ROLLBACK and reports no error:
 * the caller would believe in an effect that is not there.
 */
async function commit(runner: QueryRunner): Promise<void> {
  const client = (await runner.connect()) as PoolClient;
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT')
    throw new Error('The transaction was not committed: one of its statements failed');
}

/** TypeORM answers an UPDATE or DELETE with its returned rows and their count. */
function isChange<Row>(result: Row[] | [Row[], number]): result is [Row[], number] {
  return result.length === 2 && Array.isArray(result[0]) && typeof result[1] === 'number';
}

const maxTries = 3;
const maxPauseMs = 100;

/** Does the work again after a deadlock, which has undone it. */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= maxTries || !isRetryableConflict(error)) throw error;
      // Two that stood in each other's way would otherwise meet again.
      await delay(Math.random() * maxPauseMs);
    }
  }
}
