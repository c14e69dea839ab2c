import { AppError, type Operation } from '@aos/contracts';
import type { OperationAnswer } from '@aos/messaging';
import type { KeyRing } from '@aos/secrets';
import { newId } from '../new-id.js';
import type { Transactions } from '../transactions/transactions.js';
import type { IdempotencyScope } from './idempotency-scope.js';

interface RecordRow {
  readonly fingerprint: string;
  readonly status: number | null;
  readonly body: string | null;
  readonly leased: boolean;
}

const keptFor = '24 hours';
const leaseFor = '60 seconds';
const pruneBatch = 1_000;

/** The records behind `Idempotency-Key`, in the same database as the effects they stand for. */
export class IdempotencyRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly keyRing: KeyRing,
  ) {}

  /** The stored answer if there is one. Holds the key until the transaction ends; refuses if another holds it. */
  async claim(
    operation: Operation,
    { scope, fingerprint, lockId }: IdempotencyScope,
  ): Promise<OperationAnswer | undefined> {
    const [lock] = await this.transactions.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1) AS locked',
      [lockId],
    );
    if (!lock!.locked) throw inProgress();
    // A statement of its own: it must see what the holder before us committed.
    const [record] = await this.transactions.query<RecordRow>(
      `SELECT fingerprint, status, body, coalesce(lease_until > now(), false) AS leased
         FROM idempotency_record WHERE scope = $1 AND expires_at > now()`,
      [scope],
    );
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

  /** Keeps the answer for replay. */
  async store(
    operation: Operation,
    { scope, fingerprint }: IdempotencyScope,
    answer: OperationAnswer,
  ): Promise<void> {
    await this.transactions.query(
      `INSERT INTO idempotency_record (scope, operation_id, fingerprint, status, body, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + interval '${keptFor}')
       ON CONFLICT (scope) DO UPDATE SET operation_id = $2, fingerprint = $3, status = $4, body = $5,
         lease_token = NULL, lease_until = NULL, expires_at = excluded.expires_at`,
      [scope, operation.operationId, fingerprint, answer.status, this.seal(operation, scope, answer.body)],
    );
  }

  /** Marks the key as under way for an operation that calls out. A crash frees it when the lease ends. */
  async lease(operation: Operation, { scope, fingerprint }: IdempotencyScope): Promise<string> {
    const token = newId();
    await this.transactions.query(
      `INSERT INTO idempotency_record (scope, operation_id, fingerprint, lease_token, lease_until, expires_at)
       VALUES ($1, $2, $3, $4, now() + interval '${leaseFor}', now() + interval '${keptFor}')
       ON CONFLICT (scope) DO UPDATE SET operation_id = $2, fingerprint = $3, status = NULL, body = NULL,
         lease_token = $4, lease_until = excluded.lease_until, expires_at = excluded.expires_at`,
      [scope, operation.operationId, fingerprint, token],
    );
    return token;
  }

  /**
   * Whether the lease is still ours. Holds the key as `claim` does: whoever has seen that our lease has run out
   * takes it before us or not at all.
   */
  async holdsLease({ scope, lockId }: IdempotencyScope, token: string): Promise<boolean> {
    await this.transactions.query('SELECT pg_advisory_xact_lock($1)', [lockId]);
    const rows = await this.transactions.query(
      'SELECT 1 FROM idempotency_record WHERE scope = $1 AND lease_token = $2',
      [scope, token],
    );
    return rows.length === 1;
  }

  async release({ scope }: IdempotencyScope, token: string): Promise<void> {
    await this.transactions.query('DELETE FROM idempotency_record WHERE scope = $1 AND lease_token = $2', [
      scope,
      token,
    ]);
  }

  /**
   * Deletes a batch of expired records; the number tells whether there may be more. The expiry is asked for twice:
   * a record that is being written anew is looked at again when its lock is free, the inner query is not.
   */
  async prune(): Promise<number> {
    const rows = await this.transactions.query<{ count: string }>(
      `WITH gone AS (DELETE FROM idempotency_record WHERE scope IN (
         SELECT scope FROM idempotency_record WHERE expires_at <= now() LIMIT ${pruneBatch})
         AND expires_at <= now() RETURNING 1)
       SELECT count(*) FROM gone`,
    );
    return Number(rows[0]!.count);
  }

  private seal(operation: Operation, scope: string, body: string): string {
    return operation.secrets.response ? this.keyRing.seal(body, `idempotency:${scope}`) : body;
  }

  private open(operation: Operation, scope: string, body: string): string {
    return operation.secrets.response ? this.keyRing.open(body, `idempotency:${scope}`) : body;
  }
}

export function inProgress(): AppError {
  return new AppError('idempotency_in_progress', 'A request with this Idempotency-Key is under way.', {
    retryAfterSeconds: 1,
  });
}
