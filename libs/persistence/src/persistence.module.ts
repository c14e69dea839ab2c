import { BackgroundLoops } from '@aos/background';
import { HealthRegistry, Logger, Metrics, ServiceIdentity, Shutdown, WorkGate } from '@aos/platform';
import type { KeyRing } from '@aos/secrets';
import { pgNotice } from '@aos/vendor-internals';
import { Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ReplicationWatch } from './connections/replication.js';
import { openDataSource, type DatabaseModel, type DatabaseSettings } from './data-source.js';
import { DueRows } from './statements/due-rows.js';
import { IdempotencyRepository, sealedAnswers } from './idempotency/idempotency.repository.js';
import { SealedValues } from './sealed-values/sealed-values.js';
import { PreparedStatements } from './statements/prepared-statements.js';
import { Transactions } from './transactions/transactions.js';
import { ping } from './transactions/transactions.sql.js';

export interface PersistenceOptions {
  readonly database: DatabaseSettings;
  readonly model: DatabaseModel;
  readonly keyRing: KeyRing;
}

/** Replicas that still have the old keys may seal with them until they are replaced. */
const resealEveryMs = 10 * 60_000;
const pruneEveryMs = 5 * 60_000;

/** The database of one service: its connections, transactions, idempotency records and sealed values. */
@Module({})
export class PersistenceModule implements OnModuleInit {
  constructor(
    private readonly identity: ServiceIdentity,
    private readonly dataSource: DataSource,
    private readonly statements: PreparedStatements,
    private readonly transactions: Transactions,
    private readonly records: IdempotencyRepository,
    private readonly loops: BackgroundLoops,
    private readonly health: HealthRegistry,
    private readonly metrics: Metrics,
    private readonly gate: WorkGate,
    private readonly logger: Logger,
  ) {}

  static forRoot({ database, model, keyRing }: PersistenceOptions): DynamicModule {
    return {
      module: PersistenceModule,
      global: true,
      providers: [
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
              logger.error({ err: error }, 'work after a commit failed'),
            ),
        },
        DueRows,
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
      ],
      exports: [DataSource, IdempotencyRepository, SealedValues, PreparedStatements, DueRows, Transactions],
    };
  }

  onModuleInit(): void {
    if (pgNotice) this.logger.warn(pgNotice);
    this.health.add('postgres', () => Promise.all([this.dataSource.query(ping), this.statements.ping()]));
    // Not through the pool, whose connections may all be at work.
    this.gate.addProbe(() => this.statements.reach());
    void new ReplicationWatch(this.transactions, this.logger, this.metrics).warn();
    // Workers have no rights to this table.
    if (!this.identity.roles.answersRequests) return;
    this.loops.add({
      name: 'the pruning of idempotency records',
      idleMs: pruneEveryMs,
      work: async () => (await this.records.prune()) > 0,
    });
  }
}
