import type { EventDefinition, EventUsage } from '@aos/contracts';
import { newId, type Transactions } from '@aos/persistence';
import { recordedTraceparent } from '@aos/platform';
import type { z } from 'zod';
import { recordEvents } from './outbox.sql.js';

/** A fact to be recorded. */
export interface NewEvent<E extends EventDefinition = EventDefinition> {
  readonly event: E;
  readonly teamId: string | null;
  readonly data: z.input<E['data']>;
  readonly callbackUrl?: string;
  /** The usage of the change that the event stands for. */
  readonly usage?: EventUsage;
}

/** Keeps the compiler's check of `data` where events of several kinds are recorded together. */
export function newEvent<E extends EventDefinition>(event: NewEvent<E>): NewEvent<E> {
  return event;
}

/** An event as the log stores it. */
export interface OutboxRow {
  readonly id: string;
  readonly event: string;
  readonly team_id: string | null;
  readonly data: object;
  readonly meta: {
    readonly callback_url?: string;
    readonly usage?: EventUsage;
    readonly traceparent?: string;
  };
}

/** Records facts in the transaction that makes them true: they are published if and only if it commits. */
export class Outbox {
  constructor(
    private readonly transactions: Transactions,
    private readonly service: string,
    /** Called after each commit that has recorded something. */
    private readonly wakeRelay: () => void,
  ) {}

  /** Gives their ids. */
  async record(...events: readonly NewEvent[]): Promise<string[]> {
    if (!this.transactions.active) throw new Error('Events are recorded inside a transaction');
    const rows = events.map((event) => this.toRow(event));
    await this.transactions.query(recordEvents, [
      JSON.stringify(rows.map((row, place) => ({ ...row, place }))),
    ]);
    this.transactions.afterCommit(() => this.recorded());
    return rows.map(({ id }) => id);
  }

  /** The row of an event, checked, for statements that write events together with much else. */
  toRow({ event, teamId, data, callbackUrl, usage }: NewEvent): OutboxRow {
    if (event.source !== this.service) throw new Error(`${event.name} belongs to ${event.source}`);
    return {
      id: newId(),
      event: event.name,
      team_id: teamId,
      data: event.data.parse(data) as object,
      meta: {
        callback_url: callbackUrl,
        usage,
        traceparent: recordedTraceparent(),
      },
    };
  }

  /** To be called once such a statement has committed. */
  recorded(): void {
    this.wakeRelay();
  }
}
