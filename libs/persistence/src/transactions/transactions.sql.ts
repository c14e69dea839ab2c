const key = `hashtextextended(current_schema() || ' ' || $1, 0)`;

/** $1: a name, of this service alone. By hand: TypeORM knows no such locks. */
export const lockName = `SELECT pg_advisory_xact_lock(${key})`;

/** $1: the name. */
export const tryLockName = `SELECT pg_try_advisory_xact_lock(${key}) AS locked`;

/** Whether Postgres answers. */
export const ping = 'SELECT 1';
