import {
  feedProgress,
  publicEvents,
  runStreamEvents,
  teamOf,
  type BusEvent,
  type EventDefinition,
  type TypedBusEvent,
} from '@aos/contracts';
import { ConsumesByStatement, type EventStatement } from '@aos/events';
import { Broadcasts } from '@aos/messaging';
import { Injectable } from '@nestjs/common';
import { callbackQueue } from '../endpoint-queues/callback-queue.js';
import { QueueDispatch } from '../endpoint-queues/queue-dispatch.js';
import type { WokenQueue } from '../endpoint-queues/endpoint-queues.repository.js';
import { FanOut, fanOutLimits } from './fan-out.js';
import { storeEvents } from './feed-intake.sql.js';

type PublicEvent = TypedBusEvent<EventDefinition>;
/** A team whose deliveries are left to the fan-out. */
type LeftBehind = { readonly id: null };

const ofRuns = new Set(runStreamEvents.map(({ name }) => name));

/** Stores every public event, and its deliveries if they are few, before the position in the source's log moves. */
@Injectable()
export class FeedIntake {
  constructor(
    private readonly dispatch: QueueDispatch,
    private readonly fanOut: FanOut,
    private readonly broadcasts: Broadcasts,
  ) {}

  @ConsumesByStatement(...publicEvents)
  take(events: readonly PublicEvent[]): EventStatement<WokenQueue | LeftBehind> | undefined {
    const rows = events.filter(({ meta }) => meta.team_id !== null).map(toRow);
    if (rows.length === 0) return undefined;
    const { directWebhooks, deliveries } = fanOutLimits;
    const teams = new Set(events.flatMap(({ meta }) => meta.team_id ?? []));
    return {
      sql: storeEvents,
      parameters: [JSON.stringify(rows), directWebhooks, deliveries],
      committed: (woken) => this.tell(teams, woken),
    };
  }

  private tell(teams: ReadonlySet<string>, woken: readonly (WokenQueue | LeftBehind)[]): void {
    const queues = woken.filter((queue): queue is WokenQueue => queue.id !== null);
    this.broadcasts.send(
      feedProgress,
      [...teams].map((team_id) => ({ team_id })),
    );
    this.dispatch.wake(queues);
    if (queues.length < woken.length) this.fanOut.wake();
  }
}

function toRow({ id, event, created_at, data, meta }: PublicEvent, n: number): object {
  const { run_id, deleted } = data as { run_id?: string; deleted?: true };
  // Events of deleted runs keep only what other services count; no receiver gets them.
  const said = deleted ? { run_id, deleted } : data;
  const envelope = { id, event, created_at, data: said } as Omit<BusEvent, 'meta'>;
  return {
    n,
    id,
    event,
    team_id: meta.team_id,
    body: JSON.stringify(envelope),
    created_at,
    traceparent: meta.traceparent,
    ...(ofRuns.has(event) ? { run_id } : {}),
    ...callbackOf(teamOf(meta), meta.callback_url, run_id),
  };
}

function callbackOf(teamId: string, url: string | undefined, runId: string | undefined): object {
  if (url === undefined || runId === undefined) return {};
  return { callback_run: runId, callback_url: url, callback_queue: callbackQueue(teamId, url) };
}
