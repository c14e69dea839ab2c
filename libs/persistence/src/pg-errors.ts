interface PgError extends Error {
  readonly code?: string;
  readonly constraint?: string;
}

/** TypeORM wraps what the driver throws; both are looked at. */
function driverError(error: unknown): PgError | undefined {
  if (!(error instanceof Error)) return undefined;
  const inner = (error as { driverError?: unknown }).driverError;
  return (inner instanceof Error ? inner : error) as PgError;
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const pgError = driverError(error);
  return pgError?.code === '23505' && (constraint === undefined || pgError.constraint === constraint);
}

/** Two transactions stood in each other's way; running one of them again is safe and enough. */
export function isRetryableConflict(error: unknown): boolean {
  const code = driverError(error)?.code;
  return code === '40001' || code === '40P01';
}

const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** Postgres is away, starting, stopping or full: the same request may succeed in a moment. */
export function isStoreUnavailable(error: unknown): boolean {
  const pgError = driverError(error);
  if (!pgError) return false;
  const code = pgError.code ?? '';
  return (
    networkCodes.has(code) ||
    code.startsWith('08') ||
    code.startsWith('57P') ||
    code === '53300' ||
    /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error/i.test(
      pgError.message,
    )
  );
}
