import { inboxEntities, outboxEntities } from '@aos/events';
import { IdempotencyRecordEntity, tableOf } from '@aos/persistence';
import { foundationTables } from './foundation.tables.sql.js';

/** The tables that every service has beside its own. */
export const foundation = {
  entities: [...outboxEntities, ...inboxEntities, IdempotencyRecordEntity],
  tables: foundationTables,
};

/** Stored answers and consumed events: tables for roles that take requests. */
export const tablesForRequests: readonly string[] = [...inboxEntities, IdempotencyRecordEntity].map(tableOf);
