import { BackgroundLoops } from '@aos/background';
import { AppError, type KeyRecord, type Operation, type OperationResponse } from '@aos/contracts';
import {
  inProgress,
  keyRecordColumns,
  keyRecordRow,
  keyRecordsInsert,
  KeyTaken,
  newId,
  Transactions,
} from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { Column, Entity, Index, PrimaryColumn, Raw, type Repository } from 'typeorm';
import { answeredKey, lockProgress, noteProgress } from './case-progress.sql.js';

/** How far a request has got that works in batches; gone when it has its answer. */
@Entity('case_progress')
@Index('case_progress_time', ['updated_at'])
export class CaseProgressEntity {
  /** The Idempotency-Key's. */
  @PrimaryColumn('text')
  scope!: string;

  @Column('text')
  fingerprint!: string;

  @Column('jsonb')
  state!: object;

  @Column('uuid')
  lease_token!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  lease_until!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}

/** Longer than a batch takes; the key of a process that died is free when it is over. */
const leaseEnd = `now() + interval '30 seconds'`;
const keptFor = '24 hours';
const forgetEveryMs = 60_000;

/** Work in batches that a request waits for. */
export interface BatchedWork<State extends object, O extends Operation> {
  readonly operation: O;
  readonly keyRecord: KeyRecord | undefined;
  readonly first: State;
  /** Runs before the transaction of each batch. */
  prepare?(state: State): Promise<void>;
  /** One batch, in a transaction: how far it has got then; undefined when there is no more. */
  next(state: State): Promise<State | undefined>;
  /** Builds the answer in the last transaction. */
  answer(state: State): OperationResponse<O>;
}

/** How far a batch has got, or the answer when there was no more. */
type Batch<State, O extends Operation> = { readonly next: State } | { readonly answer: OperationResponse<O> };

interface ProgressRow<State> {
  readonly fingerprint: string;
  readonly state: State;
  readonly leased: boolean;
}

/**
 * Carries out work on more rows than one transaction should hold. Each batch commits with how far the request has got,
 * under its Idempotency-Key: a request that is sent again after it was cut off goes on from there, and gets the whole
 * answer.
 */
@Injectable()
export class CaseProgress {
  constructor(
    private readonly transactions: Transactions,
    loops: BackgroundLoops,
  ) {
    loops.add({ name: 'the end of unfinished batches', idleMs: forgetEveryMs, work: () => this.forget() });
  }

  async run<State extends object, O extends Operation>(
    work: BatchedWork<State, O>,
  ): Promise<OperationResponse<O>> {
    const { keyRecord } = work;
    const token = newId();
    const first = keyRecord ? await this.take(keyRecord, token, work.first) : work.first;
    try {
      return await this.carryOn(work, first, token);
    } catch (error) {
      // Without the database the next try begins when the lease has run out.
      if (keyRecord) await this.release(keyRecord, token).catch(() => undefined);
      throw error;
    }
  }

  private async carryOn<State extends object, O extends Operation>(
    work: BatchedWork<State, O>,
    first: State,
    token: string,
  ): Promise<OperationResponse<O>> {
    const { keyRecord } = work;
    let state = first;
    for (;;) {
      await work.prepare?.(state);
      const done = await this.transactions.run(async (): Promise<Batch<State, O>> => {
        if (keyRecord) await this.assertMine(keyRecord, token);
        const next = await work.next(state);
        if (next) {
          if (keyRecord) await this.store(keyRecord, next);
          return { next };
        }
        const answer = work.answer(state);
        if (keyRecord) await this.finish(work.operation, keyRecord, answer);
        return { answer };
      });
      if ('answer' in done) return done.answer;
      state = done.next;
    }
  }

  /** The state under the key, if another has left it; refused while that one is at it. */
  private async take<State extends object>(
    { scope, fingerprint }: KeyRecord,
    token: string,
    first: State,
  ): Promise<State> {
    return this.transactions.run(async () => {
      await this.transactions.query(noteProgress, [scope, fingerprint, first, token]);
      const [row] = await this.transactions.query<ProgressRow<State>>(lockProgress, [scope]);
      // Gone: another has just finished it, and the record says what came of it.
      if (!row || (await this.hasAnswer(scope))) throw new KeyTaken();
      if (row.fingerprint !== fingerprint) {
        throw new AppError(
          'idempotency_conflict',
          'This Idempotency-Key was used with another request body.',
        );
      }
      if (row.leased) throw inProgress();
      await this.rows.update({ scope }, { lease_token: token, lease_until: () => leaseEnd });
      return row.state;
    });
  }

  private async hasAnswer(scope: string): Promise<boolean> {
    const rows = await this.transactions.query(answeredKey, [scope]);
    return rows.length === 1;
  }

  private async release({ scope }: KeyRecord, token: string): Promise<void> {
    await this.rows.update(
      { scope, lease_token: token },
      { lease_until: () => `now() - interval '1 second'` },
    );
  }

  private async assertMine({ scope }: KeyRecord, token: string): Promise<void> {
    const row = await this.rows.findOne({
      where: { scope, lease_token: token },
      lock: { mode: 'pessimistic_write' },
    });
    if (!row) throw inProgress();
  }

  private async store({ scope }: KeyRecord, state: object): Promise<void> {
    await this.rows.update({ scope }, { state, lease_until: () => leaseEnd, updated_at: () => 'now()' });
  }

  private async finish(operation: Operation, keyRecord: KeyRecord, answer: unknown): Promise<void> {
    const record = [keyRecordRow(operation, keyRecord, answer)];
    await this.transactions.query(
      keyRecordsInsert(`jsonb_to_recordset($1::jsonb) AS wanted(${keyRecordColumns})`),
      [JSON.stringify(record)],
    );
    await this.rows.delete({ scope: keyRecord.scope });
  }

  private async forget(): Promise<boolean> {
    await this.rows.delete({ updated_at: Raw((at) => `${at} < now() - interval '${keptFor}'`) });
    return false;
  }

  private get rows(): Repository<CaseProgressEntity> {
    return this.transactions.repository(CaseProgressEntity);
  }
}
