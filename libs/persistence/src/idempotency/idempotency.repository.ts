import { AppError, type KeyRecord, type Operation, type OperationAnswer } from '@aos/contracts';
import type { KeyRing } from '@aos/secrets';
import { newId } from '../new-id.js';
import type { SealedColumn } from '../sealed-values/sealed-column.sql.js';
import type { PreparedStatements } from '../statements/prepared-statements.js';
import type { Transactions } from '../transactions/transactions.js';
import type { IdempotencyScope } from './idempotency-scope.js';
import {
  insertKeyRecords,
  leasedKey,
  leaseKey,
  lockKey,
  pruneRecords,
  releaseKey,
  selectRecord,
  storeAnswer,
  tryLockKey,
} from './idempotency.sql.js';

interface RecordRow {
  readonly fingerprint: string;
  readonly status: number | null;
  readonly body: string | null;
  readonly leased: boolean;
}

/** Answers that hold a secret. Any other is JSON or empty, and does not look like a sealed value. */
export const sealedAnswers: SealedColumn = {
  table: 'idempotency_record',
  column: 'body',
  key: ['scope'],
  context: ({ scope }) => contextOf(String(scope)),
};

function contextOf(scope: string): string {
  return `idempotency:${scope}`;
}

/** Another request with the same key was stored first; nothing of this one was. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';

  constructor() {
    super('The Idempotency-Key was stored by another request');
  }
}

/** A row of `keyRecordsInsert`'s source; all null for a request without a key. */
export interface KeyRecordRow {
  readonly scope: string | null;
  readonly operation_id: string | null;
  readonly fingerprint: string | null;
  readonly answer_status: number | null;
  readonly answer_body: string | null;
}

/** The record of a `batched` operation's answer; `body` is the answer as it will be sent. */
export function keyRecordRow(
  operation: Operation,
  record: KeyRecord | undefined,
  body: unknown,
): KeyRecordRow {
  if (operation.secrets.response) throw new Error('An answer with a secret is not stored in a batch');
  return {
    scope: record?.scope ?? null,
    operation_id: record ? operation.operationId : null,
    fingerprint: record?.fingerprint ?? null,
    answer_status: record ? operation.status : null,
    answer_body: record ? JSON.stringify(body) : null,
  };
}

/** The records behind `Idempotency-Key`, in the same database as the effects they stand for. */
export class IdempotencyRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
    private readonly keyRing: KeyRing,
  ) {}

  /** The stored answer if there is one; holds nothing. */
  async find(operation: Operation, scope: IdempotencyScope): Promise<OperationAnswer | undefined> {
    const [record] = await this.statements.read<RecordRow>(selectRecord, [scope.scope]);
    return this.answerOf(operation, scope, record);
  }

  /** Stores an answer unless another request with the key came first: then that one's. */
  async keep(
    operation: Operation,
    scope: IdempotencyScope,
    { status, body }: OperationAnswer,
  ): Promise<OperationAnswer | undefined> {
    const row = { ...scope, operation_id: operation.operationId, answer_status: status, answer_body: body };
    const kept = await this.statements.write(insertKeyRecords, [JSON.stringify([row])]);
    return kept.length === 1 ? undefined : this.find(operation, scope);
  }

  /** The stored answer if there is one. Holds the key until the transaction ends; refuses if another holds it. */
  async claim(operation: Operation, scope: IdempotencyScope): Promise<OperationAnswer | undefined> {
    const [lock] = await this.transactions.query<{ locked: boolean }>(tryLockKey, [scope.lockId]);
    if (!lock!.locked) throw inProgress();
    // A statement of its own: it must see what the holder before us committed.
    const [record] = await this.transactions.query<RecordRow>(selectRecord, [scope.scope]);
    return this.answerOf(operation, scope, record);
  }

  /** Keeps the answer for replay. */
  async store(
    operation: Operation,
    { scope, fingerprint }: IdempotencyScope,
    answer: OperationAnswer,
  ): Promise<void> {
    await this.transactions.query(storeAnswer, [
      scope,
      operation.operationId,
      fingerprint,
      answer.status,
      this.seal(operation, scope, answer.body),
    ]);
  }

  /** Marks the key as under way for an operation that calls out. A crash frees it when the lease ends. */
  async lease(operation: Operation, { scope, fingerprint }: IdempotencyScope): Promise<string> {
    const token = newId();
    await this.transactions.query(leaseKey, [scope, operation.operationId, fingerprint, token]);
    return token;
  }

  /**
   * Whether the lease is still ours. Holds the key as `claim` does: a caller that has seen that our lease has run out
   * takes it before us or not at all.
   */
  async holdsLease({ scope, lockId }: IdempotencyScope, token: string): Promise<boolean> {
    await this.transactions.query(lockKey, [lockId]);
    const rows = await this.transactions.query(leasedKey, [scope, token]);
    return rows.length === 1;
  }

  async release({ scope }: IdempotencyScope, token: string): Promise<void> {
    await this.transactions.query(releaseKey, [scope, token]);
  }

  /**
   * Deletes a batch of expired records; the number tells whether there may be more. The expiry is asked for twice:
   * a record that is being written anew is looked at again when its lock is free, the inner query is not.
   */
  async prune(): Promise<number> {
    const rows = await this.transactions.query<{ count: string }>(pruneRecords);
    return Number(rows[0]!.count);
  }

  private answerOf(
    operation: Operation,
    { scope, fingerprint }: IdempotencyScope,
    record: RecordRow | undefined,
  ): OperationAnswer | undefined {
    if (!record) return undefined;
    if (record.fingerprint !== fingerprint) {
      throw new AppError('idempotency_conflict', 'This Idempotency-Key was used with another request body.');
    }
    if (record.status !== null) {
      return { status: record.status, body: this.open(operation, scope, record.body!), replayed: true };
    }
    if (record.leased) throw inProgress();
    return undefined;
  }

  private seal(operation: Operation, scope: string, body: string): string {
    return operation.secrets.response ? this.keyRing.seal(body, contextOf(scope)) : body;
  }

  private open(operation: Operation, scope: string, body: string): string {
    return operation.secrets.response ? this.keyRing.open(body, contextOf(scope)) : body;
  }
}

export function inProgress(): AppError {
  return new AppError('idempotency_in_progress', 'A request with this Idempotency-Key is in progress.', {
    retryAfterSeconds: 1,
  });
}
