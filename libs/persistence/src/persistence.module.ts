import { BackgroundLoops } from '@aos/background';
import { obligationsOf } from '@aos/contracts';
import {
  assertExactlyOne,
  discoverHandlers,
  EventEntries,
  EventPublisher,
  EventStreamReader,
  RedisConnections,
  ServiceClient,
} from '@aos/messaging';
import { HealthRegistry, Logger, Metrics, ServiceIdentity, Shutdown, Tracing, WorkGate } from '@aos/platform';
import type { KeyRing } from '@aos/secrets';
import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { ReplicationWatch } from './connections/replication.js';
import { openDataSource, type DatabaseModel, type DatabaseSettings } from './data-source.js';
import { DueRows } from './due-rows.js';
import { Housekeeping } from './housekeeping.js';
import { IdempotencyRepository, sealedAnswers } from './idempotency/idempotency.repository.js';
import { EventConsumer } from './inbox/event-consumer.js';
import { EventDispatch } from './inbox/event-dispatch.js';
import { EventHandling } from './inbox/event-handling.js';
import { EventPositions } from './inbox/event-positions.js';
import { OutboxEpochs } from './outbox/outbox-epochs.js';
import { OutboxLog } from './outbox/outbox-log.js';
import { OutboxRelay } from './outbox/outbox-relay.js';
import { Outbox } from './outbox/outbox.js';
import { OutboxController } from './outbox/outbox.controller.js';
import { SealedValues } from './sealed-values/sealed-values.js';
import { PreparedStatements } from './prepared-statements.js';
import { Transactions } from './transactions/transactions.js';
import { ping } from './transactions/transactions.sql.js';

export interface PersistenceOptions {
  readonly service: string;
  readonly database: DatabaseSettings;
  readonly model: DatabaseModel;
  readonly keyRing: KeyRing;
  /** How long events stay in the log for consumers that lag. */
  readonly outboxRetentionHours?: number;
  /** How long an event that cannot be handled is tried again. */
  readonly deadEventRetentionDays?: number;
  /** The least time between two batches of events that are consumed. */
  readonly gatherEventsMs?: number;
}

/** Injection token of what the consumer of events is told. */
const Gathering = Symbol('Gathering');

const weekHours = 7 * 24;
const monthDays = 30;
/** Replicas that still have the old keys may seal with them until they are replaced. */
const resealEveryMs = 10 * 60_000;

/** Counting rows grows with them; how often metrics are scraped must not decide what that costs. */
const countEveryMs = 10_000;

/** The database of one service: transactions, idempotency, its event log, and what it follows of others'. */
@Module({})
export class PersistenceModule implements OnModuleInit, OnApplicationBootstrap {
  private consumer: EventConsumer | undefined;

  constructor(
    private readonly identity: ServiceIdentity,
    private readonly dataSource: DataSource,
    private readonly statements: PreparedStatements,
    private readonly transactions: Transactions,
    private readonly outboxLog: OutboxLog,
    private readonly relay: OutboxRelay,
    private readonly housekeeping: Housekeeping,
    private readonly positions: EventPositions,
    private readonly connections: RedisConnections,
    private readonly entries: EventEntries,
    private readonly client: ServiceClient,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly health: HealthRegistry,
    readonly metrics: Metrics,
    private readonly gate: WorkGate,
    private readonly shutdown: Shutdown,
    readonly tracing: Tracing,
    private readonly logger: Logger,
    @Inject(Gathering) private readonly gathering: Pick<PersistenceOptions, 'gatherEventsMs'>,
  ) {}

  static forRoot(options: PersistenceOptions): DynamicModule {
    const { service, database, model, keyRing } = options;
    const { outboxRetentionHours = weekHours, deadEventRetentionDays = monthDays } = options;
    return {
      module: PersistenceModule,
      global: true,
      imports: [DiscoveryModule],
      controllers: [OutboxController],
      providers: [
        { provide: Gathering, useValue: { gatherEventsMs: options.gatherEventsMs } },
        {
          provide: DataSource,
          inject: [Shutdown],
          useFactory: async (shutdown: Shutdown) => {
            const dataSource = await openDataSource(database, model);
            shutdown.add('close', 'postgres', () => dataSource.destroy());
            return dataSource;
          },
        },
        {
          provide: Transactions,
          inject: [DataSource, Logger],
          useFactory: (dataSource: DataSource, logger: Logger) =>
            new Transactions(dataSource, (error) =>
              logger.error({ err: error }, 'what follows a commit has failed'),
            ),
        },
        {
          provide: DueRows,
          inject: [Transactions],
          useFactory: (transactions: Transactions) => new DueRows(transactions),
        },
        {
          provide: PreparedStatements,
          inject: [Shutdown],
          useFactory: (shutdown: Shutdown) => {
            const statements = new PreparedStatements(database);
            shutdown.add('close', 'statements', () => statements.close());
            return statements;
          },
        },
        {
          provide: IdempotencyRepository,
          inject: [Transactions, PreparedStatements],
          useFactory: (transactions: Transactions, statements: PreparedStatements) =>
            new IdempotencyRepository(transactions, statements, keyRing),
        },
        {
          provide: SealedValues,
          inject: [Transactions, Logger, BackgroundLoops, ServiceIdentity],
          useFactory: (
            transactions: Transactions,
            logger: Logger,
            loops: BackgroundLoops,
            { roles }: ServiceIdentity,
          ) => {
            const values = new SealedValues(transactions, keyRing, logger);
            values.add(sealedAnswers);
            // Workers have keys of their own, and none that opens what is in the tables.
            if (roles.answersRequests)
              loops.add({
                name: 'the sealing of values under the present key',
                idleMs: resealEveryMs,
                work: async () => {
                  await values.reseal();
                  return false;
                },
              });
            return values;
          },
        },
        {
          provide: Outbox,
          inject: [Transactions, OutboxRelay],
          useFactory: (transactions: Transactions, relay: OutboxRelay) =>
            new Outbox(transactions, service, () => relay.wake()),
        },
        {
          provide: OutboxLog,
          inject: [Transactions, PreparedStatements],
          useFactory: (transactions: Transactions, statements: PreparedStatements) =>
            new OutboxLog(transactions, statements, new OutboxEpochs(transactions, statements), service),
        },
        {
          provide: OutboxRelay,
          inject: [OutboxLog, EventPublisher, Logger],
          useFactory: (log: OutboxLog, publisher: EventPublisher, logger: Logger) =>
            new OutboxRelay({ service, log, publisher, logger }),
        },
        {
          provide: Housekeeping,
          inject: [IdempotencyRepository, OutboxLog, EventPositions, Logger],
          useFactory: (
            records: IdempotencyRepository,
            log: OutboxLog,
            positions: EventPositions,
            logger: Logger,
          ) =>
            new Housekeeping({
              records,
              log,
              positions,
              outboxRetentionHours,
              deadEventRetentionDays,
              logger,
            }),
        },
        {
          provide: EventPositions,
          inject: [Transactions, PreparedStatements],
          useFactory: (transactions: Transactions, statements: PreparedStatements) =>
            new EventPositions(transactions, statements),
        },
      ],
      exports: [
        DataSource,
        IdempotencyRepository,
        SealedValues,
        PreparedStatements,
        DueRows,
        Transactions,
        Outbox,
      ],
    };
  }

  onModuleInit(): void {
    this.consumer = this.createConsumer();
    this.health.add('postgres', () => Promise.all([this.dataSource.query(ping), this.statements.ping()]));
    // Not through the pool, whose connections may all be at work.
    this.gate.addProbe(() => this.statements.reach());
    this.metrics.gauge({
      name: 'aos_dead_events',
      help: 'Events of other services that could not be handled',
      maxAgeMs: countEveryMs,
      // Without the database the last number stays, and the other metrics are there.
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
    void new ReplicationWatch(this.transactions, this.logger, this.metrics).warn();
    this.shutdown.add('drain', 'events', () => this.consumer?.stop());
    this.shutdown.add('drain', 'outbox', () => this.relay.stop());
    this.shutdown.add('drain', 'housekeeping', () => this.housekeeping.stop());
  }

  onApplicationBootstrap(): void {
    // The other processes of the service number what this one records.
    if (!this.identity.sharesWork) return;
    this.relay.start();
    // Workers have no rights to these tables.
    if (!this.identity.roles.answersRequests) return;
    this.housekeeping.start();
    this.consumer?.start();
  }

  private createConsumer(): EventConsumer | undefined {
    const { service, replica, table } = this.identity;
    const { events: handlers } = discoverHandlers(this.discovery, this.scanner, this);
    const declared = obligationsOf(service, table).events;
    assertExactlyOne({
      what: `event consumed by ${service}`,
      declared: declared.map(({ name }) => name),
      handled: handlers.flatMap(({ events }) => events.map(({ name }) => name)),
    });
    if (declared.length === 0) return undefined;
    const { transactions, positions, client, logger } = this;
    const dispatch = new EventDispatch(
      handlers,
      new Map(table.events.map(({ name, source }) => [name, source])),
    );
    const duplicates = this.metrics.counter({
      name: 'aos_events_duplicate_total',
      help: 'Events that came again and were dropped',
      labelNames: ['source'],
    });
    const missed = this.metrics.counter({
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
      gatherMs: this.gathering.gatherEventsMs,
      logger,
    });
  }
}
