import { inboxEntities, outboxEntities } from '@aos/events';
import { IdempotencyRecordEntity, tableOf, type DatabaseModel } from '@aos/persistence';
import { foundationMigrations } from './migrations/foundation.migrations.js';

/** The tables that every service has beside its own. */
export const foundation: DatabaseModel = {
  entities: [...outboxEntities, ...inboxEntities, IdempotencyRecordEntity],
  migrations: foundationMigrations,
};

/** Stored answers and consumed events: tables for roles that take requests. */
export const tablesForRequests: readonly string[] = [...inboxEntities, IdempotencyRecordEntity].map(tableOf);
