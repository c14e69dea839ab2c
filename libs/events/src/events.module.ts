import { BackgroundLoops } from '@aos/background';
import { obligationsOf } from '@aos/contracts';
import { assertExactlyOne, RedisConnections, ServiceClient } from '@aos/messaging';
import { PreparedStatements, Transactions } from '@aos/persistence';
import { Logger, Metrics, ServiceIdentity, Shutdown, Tracing } from '@aos/platform';
import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { EventConsumer } from './inbox/event-consumer.js';
import { EventDispatch } from './inbox/event-dispatch.js';
import { findEventHandlers } from './inbox/event-handlers.js';
import { EventHandling } from './inbox/event-handling.js';
import { EventPositions } from './inbox/event-positions.js';
import { OutboxController } from './outbox/outbox.controller.js';
import { OutboxEpochs } from './outbox/outbox-epochs.js';
import { OutboxLog } from './outbox/outbox-log.js';
import { OutboxRelay } from './outbox/outbox-relay.js';
import { Outbox } from './outbox/outbox.js';
import { EventEntries } from './streams/event-entries.js';
import { EventPublisher, EventStreamReader } from './streams/event-streams.js';

export interface EventsOptions {
  /** How many events of this service Redis keeps. */
  readonly streamLength: number;
  /** The entries of streams that the services of one process share. */
  readonly entries?: EventEntries;
  /** How long events stay in the log for consumers that lag. */
  readonly retentionHours: number;
  /** How long an event that cannot be handled is retried. */
  readonly deadEventRetentionDays: number;
  /** The least time between two batches of consumed events. */
  readonly gatherMs?: number;
}

const options = Symbol('EventsOptions');

const pruneEveryMs = 5 * 60_000;
/** Counting rows grows with them; how often metrics are scraped must not decide what that costs. */
const countEveryMs = 10_000;

/** Records the events of one service, publishes them, and consumes those of others. */
@Module({})
export class EventsModule implements OnModuleInit, OnApplicationBootstrap {
  private consumer: EventConsumer | undefined;

  constructor(
    @Inject(options) private readonly options: EventsOptions,
    private readonly identity: ServiceIdentity,
    private readonly transactions: Transactions,
    private readonly outboxLog: OutboxLog,
    private readonly positions: EventPositions,
    private readonly connections: RedisConnections,
    private readonly entries: EventEntries,
    private readonly client: ServiceClient,
    private readonly loops: BackgroundLoops,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly metrics: Metrics,
    private readonly shutdown: Shutdown,
    private readonly tracing: Tracing,
    private readonly logger: Logger,
  ) {}

  static forRoot(events: EventsOptions): DynamicModule {
    return {
      module: EventsModule,
      global: true,
      imports: [DiscoveryModule],
      controllers: [OutboxController],
      providers: [
        { provide: options, useValue: events },
        { provide: EventEntries, useValue: events.entries ?? new EventEntries() },
        {
          provide: EventPublisher,
          inject: [RedisConnections, Tracing, EventEntries],
          useFactory: (connections: RedisConnections, tracing: Tracing, entries: EventEntries) =>
            new EventPublisher(connections, tracing, entries, events.streamLength),
        },
        {
          provide: OutboxLog,
          inject: [Transactions, PreparedStatements, ServiceIdentity],
          useFactory: (
            transactions: Transactions,
            statements: PreparedStatements,
            { service }: ServiceIdentity,
          ) => new OutboxLog(transactions, statements, new OutboxEpochs(transactions, statements), service),
        },
        OutboxRelay,
        {
          provide: Outbox,
          inject: [Transactions, ServiceIdentity, OutboxRelay],
          useFactory: (transactions: Transactions, { service }: ServiceIdentity, relay: OutboxRelay) =>
            new Outbox(transactions, service, () => relay.wake()),
        },
        EventPositions,
      ],
      exports: [Outbox],
    };
  }

  onModuleInit(): void {
    this.consumer = this.createConsumer();
    this.showState();
    this.shutdown.add('drain', 'events', () => this.consumer?.stop());
    // Workers have no rights to these tables.
    if (!this.identity.roles.answersRequests) return;
    this.loops.add({ name: 'the pruning of events', idleMs: pruneEveryMs, work: () => this.prune() });
  }

  onApplicationBootstrap(): void {
    const { sharesWork, roles } = this.identity;
    if (sharesWork && roles.answersRequests) this.consumer?.start();
  }

  /** Without the database the last numbers stay, and the other metrics are there. */
  private showState(): void {
    this.metrics.gauge({
      name: 'aos_dead_events',
      help: 'Events of other services that could not be handled',
      maxAgeMs: countEveryMs,
      collect: (gauge) =>
        this.positions.countDead().then(
          (count) => gauge.set(count),
          () => undefined,
        ),
    });
    this.metrics.gauge({
      name: 'aos_outbox_lag_seconds',
      help: 'Age of the oldest event that has been recorded and not given out yet; the same from each replica',
      maxAgeMs: countEveryMs,
      collect: (gauge) =>
        this.outboxLog.lagSeconds().then(
          (seconds) => gauge.set(seconds),
          () => undefined,
        ),
    });
  }

  /** In small batches; true if there may be more. */
  private async prune(): Promise<boolean> {
    const { retentionHours, deadEventRetentionDays: days } = this.options;
    const events = await this.outboxLog.prune(retentionHours);
    const handled = await this.positions.pruneHandled(retentionHours);
    const dead = await this.positions.pruneDead(days);
    for (const { id, event } of dead) {
      this.logger.error({ event, event_id: id, days }, 'event dropped after its last attempt');
    }
    return events + handled + dead.length > 0;
  }

  private createConsumer(): EventConsumer | undefined {
    const { service, replica, table } = this.identity;
    const { transactions, positions, client, metrics, tracing, logger } = this;
    const handlers = findEventHandlers(this.discovery, this.scanner, { tracing, metrics });
    const declared = obligationsOf(service, table).events;
    assertExactlyOne({
      what: `event consumed by ${service}`,
      declared: declared.map(({ name }) => name),
      handled: handlers.flatMap(({ events }) => events.map(({ name }) => name)),
    });
    if (declared.length === 0) return undefined;
    const dispatch = new EventDispatch(
      handlers,
      new Map(table.events.map(({ name, source }) => [name, source])),
    );
    const duplicates = metrics.counter({
      name: 'aos_events_duplicate_total',
      help: 'Events that came again and were dropped',
      labelNames: ['source'],
    });
    const missed = metrics.counter({
      name: 'aos_events_missed_total',
      help: 'Events that were removed from the log of their service before they were consumed here',
      labelNames: ['source'],
    });
    return new EventConsumer({
      sources: [...new Set(declared.map(({ source }) => source))],
      replica,
      reader: new EventStreamReader(this.connections, service, this.entries),
      client,
      positions,
      onMissed: (from, events) => missed.inc({ source: from }, events),
      onDuplicates: (from, events) => duplicates.inc({ source: from }, events),
      handling: new EventHandling({ replica, transactions, positions, dispatch, logger }),
      gatherMs: this.options.gatherMs,
      logger,
    });
  }
}
