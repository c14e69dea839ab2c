import { inboxEntities, outboxEntities } from '@aos/events';
import { foundationMigrations, IdempotencyRecordEntity, tableOf, type DatabaseModel } from '@aos/persistence';

/** The tables that every service has beside its own. */
export const foundation: DatabaseModel = {
  entities: [...outboxEntities, ...inboxEntities, IdempotencyRecordEntity],
  migrations: foundationMigrations,
};

/** Stored answers and consumed events: tables for roles that take requests. */
export const tablesForRequests: readonly string[] = [...inboxEntities, IdempotencyRecordEntity].map(tableOf);
