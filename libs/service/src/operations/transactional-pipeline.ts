import {
  AppError,
  callerOf,
  parseRequest,
  type Operation,
  type OperationAnswer,
  type OperationEnvelope,
  type OperationRequest,
} from '@aos/contracts';
import { OperationPipeline } from '@aos/messaging';
import {
  idempotencyScope,
  inProgress,
  isStoreUnavailable,
  KeyTaken,
  type IdempotencyRepository,
  type IdempotencyScope,
  type Transactions,
} from '@aos/persistence';
import { passingRefusal, permitReplay } from './refusals.js';

type Handle = (request: OperationRequest) => Promise<unknown>;

/**
 * One mutation, one transaction: the key's record, the rows and the events are written together or not at all.
 * An operation that calls out (`leased`) returns a function; its writes happen in there. A `batched` one writes
 * its effect and the key's record in a statement of its own.
 */
export class TransactionalPipeline extends OperationPipeline {
  constructor(
    private readonly transactions: Transactions,
    private readonly records: IdempotencyRepository,
  ) {
    super();
  }

  async run(operation: Operation, envelope: OperationEnvelope, handle: Handle): Promise<OperationAnswer> {
    try {
      if (!operation.mutating) return await this.perform(operation, envelope, handle);
      const key = envelope.idempotencyKey;
      const scope = key === undefined ? undefined : idempotencyScope(operation, envelope, key);
      if (operation.idempotency === 'batched')
        return await this.runBatched(operation, envelope, handle, scope);
      if (operation.idempotency === 'leased') return await this.runLeased(operation, envelope, handle, scope);
      return await this.transactions.run(() =>
        scope ? this.runKeyed(operation, envelope, handle, scope) : this.perform(operation, envelope, handle),
      );
    } catch (error) {
      return refusal(error);
    }
  }

  private async runKeyed(
    operation: Operation,
    envelope: OperationEnvelope,
    handle: Handle,
    scope: IdempotencyScope,
  ): Promise<OperationAnswer> {
    const stored = await this.records.claim(operation, scope);
    if (stored) return permitReplay(operation, envelope.principal, stored);
    const answer = await this.transactions
      .savepoint(() => this.perform(operation, envelope, handle))
      .catch(storedRefusal);
    await this.records.store(operation, scope, answer);
    return answer;
  }

  /** The handler stores the record with its effect; here it is only looked for, and refusals are kept. */
  private async runBatched(
    operation: Operation,
    envelope: OperationEnvelope,
    handle: Handle,
    scope: IdempotencyScope | undefined,
  ): Promise<OperationAnswer> {
    if (!scope) return this.perform(operation, envelope, handle);
    const stored = await this.records.find(operation, scope);
    if (stored) return permitReplay(operation, envelope.principal, stored);
    try {
      return await this.perform(operation, envelope, (request) =>
        handle({ ...request, keyRecord: { scope: scope.scope, fingerprint: scope.fingerprint } }),
      );
    } catch (error) {
      if (!(error instanceof KeyTaken)) {
        const answer = storedRefusal(error);
        return (await this.records.keep(operation, scope, answer)) ?? answer;
      }
      const first = await this.records.find(operation, scope);
      if (!first) throw inProgress();
      return permitReplay(operation, envelope.principal, first);
    }
  }

  private async runLeased(
    operation: Operation,
    envelope: OperationEnvelope,
    handle: Handle,
    scope: IdempotencyScope | undefined,
  ): Promise<OperationAnswer> {
    if (!scope) return this.finish(operation, await this.prepare(operation, envelope, handle));
    const leaseOrAnswer = await this.transactions.run(
      async () =>
        (await this.records.claim(operation, scope)) ?? (await this.records.lease(operation, scope)),
    );
    if (typeof leaseOrAnswer !== 'string') return permitReplay(operation, envelope.principal, leaseOrAnswer);
    try {
      const outcome = await this.prepare(operation, envelope, handle).catch(storedRefusal);
      return await this.transactions.run(async () => {
        if (!(await this.records.holdsLease(scope, leaseOrAnswer))) throw inProgress();
        const answer = isAnswer(outcome)
          ? outcome
          : await this.transactions.savepoint(() => this.finish(operation, outcome)).catch(storedRefusal);
        await this.records.store(operation, scope, answer);
        return answer;
      });
    } catch (error) {
      // Not stored, so the next try may begin at once; without the database it begins when the lease has run out.
      await this.records.release(scope, leaseOrAnswer).catch(() => undefined);
      throw error;
    }
  }

  private async perform(
    operation: Operation,
    envelope: OperationEnvelope,
    handle: Handle,
  ): Promise<OperationAnswer> {
    return this.finish(operation, await this.prepare(operation, envelope, handle));
  }

  private async prepare(operation: Operation, envelope: OperationEnvelope, handle: Handle): Promise<unknown> {
    const { principal, upload, channel } = envelope;
    const parsed = parseRequest(operation, envelope);
    return handle({ ...callerOf(operation.access, principal), upload, channel, ...parsed });
  }

  private async finish(operation: Operation, outcome: unknown): Promise<OperationAnswer> {
    const body: unknown =
      typeof outcome === 'function'
        ? await this.transactions.run(outcome as () => Promise<unknown>)
        : outcome;
    return { status: operation.status, body: body === undefined ? '' : JSON.stringify(body) };
  }
}

function isAnswer(outcome: unknown): outcome is OperationAnswer {
  return typeof outcome === 'object' && outcome !== null && refused in outcome;
}

/** Marks an answer that came from a refusal, so that it is not taken for the result of a handler. */
const refused = Symbol('refused');

/** A refusal that is kept and replayed; anything else goes on upwards and undoes the transaction. */
function storedRefusal(error: unknown): OperationAnswer {
  if (error instanceof AppError && error.stored)
    return { ...toAnswer(error), [refused]: true } as OperationAnswer;
  throw error;
}

function refusal(error: unknown): OperationAnswer {
  if (error instanceof AppError) return toAnswer(error);
  // Other failures that pass are thrown on: a statement that took too long is worth a line in the log.
  const refused = isStoreUnavailable(error) ? passingRefusal(error) : undefined;
  if (refused) return toAnswer(refused);
  throw error;
}

function toAnswer(error: AppError): OperationAnswer {
  return {
    status: error.status,
    body: JSON.stringify(error.toBody()),
    retryAfterSeconds: error.options.retryAfterSeconds,
  };
}
