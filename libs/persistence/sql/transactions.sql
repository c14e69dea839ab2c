-- Written by `npm run sql`; do not edit.

-- lockName (src/transactions/transactions.sql.ts)
SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || $1, 0));

-- tryLockName (src/transactions/transactions.sql.ts)
SELECT pg_try_advisory_xact_lock(hashtextextended(current_schema() || ' ' || $1, 0)) AS locked;
