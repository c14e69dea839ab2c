import { inboxEntities, outboxEntities } from '@aos/events';
import { IdempotencyRecordEntity, tableOf, type DatabaseModel } from '@aos/persistence';
import { EventEpochs1760000005000 } from './migrations/event-epochs.migration.js';
import { Foundation1760000000000 } from './migrations/foundation.migration.js';
import { LogStatistics1760000009500 } from './migrations/log-statistics.migration.js';
import { OneLog1760000009400 } from './migrations/one-log.migration.js';

/** Every service has these beside its own. */
export const foundationMigrations = [
  Foundation1760000000000,
  EventEpochs1760000005000,
  OneLog1760000009400,
  LogStatistics1760000009500,
] as const;

/** The tables that every service has beside its own. */
export const foundation: DatabaseModel = {
  entities: [...outboxEntities, ...inboxEntities, IdempotencyRecordEntity],
  migrations: foundationMigrations,
};

/** Stored answers and consumed events: tables for roles that take requests. */
export const tablesForRequests: readonly string[] = [...inboxEntities, IdempotencyRecordEntity].map(tableOf);
