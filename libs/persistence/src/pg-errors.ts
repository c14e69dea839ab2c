import { types } from 'node:util';

interface PgError extends Error {
  readonly code?: string;
  readonly constraint?: string;
  readonly table?: string;
  /** The system call that failed. */
  readonly syscall?: string;
}

/** The connection broke while a transaction was open on it; whatever it did is undone. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code = '08006';

  constructor(cause: unknown) {
    super('The connection to Postgres broke inside a transaction', { cause });
  }
}

/** TypeORM gives a connection that broke back to the pool, and refuses what comes next with one of two errors. */
export function isReleasedRunner(error: unknown): boolean {
  return isErrorLike(error) && /^QueryRunner(Provider)?AlreadyReleasedError$/.test(error.name);
}

/** TypeORM wraps what the driver throws; both are looked at. */
function driverError(error: unknown): PgError | undefined {
  if (!isErrorLike(error)) return undefined;
  const { driverError: inner } = error as { driverError?: unknown };
  return isErrorLike(inner) ? inner : error;
}

/** Errors of Node itself are no instances of the `Error` that code inside Jest sees. */
function isErrorLike(value: unknown): value is PgError {
  return value instanceof Error || types.isNativeError(value);
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const pgError = driverError(error);
  return pgError?.code === '23505' && (constraint === undefined || pgError.constraint === constraint);
}

/** A row of the table lacked what every row must have. */
export function isNullViolation(error: unknown, table: string): boolean {
  const pgError = driverError(error);
  return pgError?.code === '23502' && pgError.table === table;
}

/** Two transactions stood in each other's way; running one of them again is safe and enough. */
export function isRetryableConflict(error: unknown): boolean {
  const code = driverError(error)?.code;
  return code === '40001' || code === '40P01';
}

/** A lock was not to be had in the time that was given for it. */
export function isLockTimeout(error: unknown): boolean {
  return driverError(error)?.code === '55P03';
}

/** The connection does not know the prepared statement, or knows it already: pg lost count when one before it failed. */
export function isUnprepared(error: unknown): boolean {
  const code = driverError(error)?.code;
  return code === '26000' || code === '42P05';
}

/** A table has changed since the statement was prepared on this connection, and with it the columns of the result. */
export function isOutdatedPlan(error: unknown): boolean {
  const pgError = driverError(error);
  return pgError?.code === '0A000' && pgError.message.includes('cached plan');
}

/** The server takes no writes: a standby, or the former primary after a failover. */
export function isReadOnly(error: unknown): boolean {
  return driverError(error)?.code === readOnlySqlState;
}

/** A statement took too long, and was undone: a row that it needs may be locked for long. */
export function isStatementTimeout(error: unknown): boolean {
  return driverError(error)?.code === '57014';
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** No server has made the socket of this path yet, or too many dial it at once. */
const socketCodes = new Set(['ENOENT', 'EAGAIN']);
/** Connection exceptions; shutting down, crashed or starting; out of disk, memory or connections. */
const passingClasses = ['08', '57P', '53'];
const readOnlySqlState = '25006';
/** The server takes no writes, as after a failover; it ended the session of a transaction that was idle, or took too long. */
const passingCodes = new Set([readOnlySqlState, '25P03', '25P04']);

/** Errors of `pg` that have no code. */
const lostConnection =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|client has encountered a connection error|client was closed/i;

/** Postgres is away, starting, stopping or full: the same request may succeed in a moment. */
export function isStoreUnavailable(error: unknown): boolean {
  const pgError = driverError(error);
  if (!pgError) return false;
  const code = pgError.code ?? '';
  return (
    networkCodes.has(code) ||
    (socketCodes.has(code) && pgError.syscall === 'connect') ||
    passingClasses.some((start) => code.startsWith(start)) ||
    passingCodes.has(code) ||
    lostConnection.test(pgError.message)
  );
}

/** Not the fault of what was asked: Postgres is away or too slow, or others stood in the way. Later it may succeed. */
export function isPassing(error: unknown): boolean {
  return (
    isStoreUnavailable(error) ||
    isStatementTimeout(error) ||
    isLockTimeout(error) ||
    isRetryableConflict(error)
  );
}
