export { columnsOf, tableOf } from './statements/columns-of.js';
export { provisionDatabase } from './access/provision-database.js';
export { minConnections } from './connections/connection-shares.js';
export { wayTo } from './connections/database-socket.js';
export { parseDatabaseUrl, withUrlParameter } from './connections/database-url.js';
export { pingDatabase } from './connections/ping-database.js';
export { transactionModeClient } from './connections/transaction-mode-client.js';
export {
  answerTimeoutMs,
  createDataSource,
  schemaOf,
  withoutPooler,
  type DatabaseModel,
  type DatabaseSettings,
} from './data-source.js';
export { DueRows } from './statements/due-rows.js';
export { idempotencyScope, type IdempotencyScope } from './idempotency/idempotency-scope.js';
export {
  IdempotencyRepository,
  inProgress,
  keyRecordRow,
  KeyTaken,
} from './idempotency/idempotency.repository.js';
export { IdempotencyRecordEntity } from './idempotency/idempotency-record.entity.js';
export { keyRecordColumns, keyRecordsInsert } from './idempotency/idempotency.sql.js';
export { baselineOf } from './migrations/baseline.js';
export {
  createIndexConcurrently,
  dropIndexConcurrently,
  type ConcurrentIndex,
} from './migrations/concurrent-index.js';
export { migrate, missingMigrations, type MigrateOptions } from './migrations/migrate.js';
export { newId } from './new-id.js';
export { findPage, type Page, type PageRequest } from './statements/pagination.js';
export { withinPageBytes } from './statements/pagination.sql.js';
export { PersistenceModule, type PersistenceOptions } from './persistence.module.js';
export {
  isNullViolation,
  isPassing,
  isStatementTimeout,
  isStoreUnavailable,
  isUniqueViolation,
} from './pg-errors.js';
export type { SealedColumn } from './sealed-values/sealed-column.sql.js';
export { SealedValues, type KeyInUse } from './sealed-values/sealed-values.js';
export {
  PreparedStatements,
  type Statement,
  type StatementParameter,
} from './statements/prepared-statements.js';
export { Transactions } from './transactions/transactions.js';
