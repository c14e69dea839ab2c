import type { Transactions } from '@aos/persistence';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

interface Statement {
  readonly sql: string;
  readonly parameters: unknown[];
}

/** How many rows of tables and indexes a statement looks at, which it does. */
export async function rowsRead(transactions: Transactions, statement: Statement): Promise<number> {
  return scanned(await planOf(transactions, 'ANALYZE, FORMAT JSON', statement));
}

/** The indexes that a statement would be answered by, if it were made. */
export async function indexesOf(transactions: Transactions, statement: Statement): Promise<string[]> {
  return namesIn(await planOf(transactions, 'FORMAT JSON', statement));
}

async function planOf(
  transactions: Transactions,
  options: string,
  { sql, parameters }: Statement,
): Promise<Plan> {
  const [row] = await transactions.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (${options}) ${sql}`,
    parameters,
  );
  return row!['QUERY PLAN'][0].Plan;
}

function scanned(plan: Plan): number {
  const inner = (plan.Plans ?? []).reduce((sum, one) => sum + scanned(one), 0);
  if (!plan['Node Type'].includes('Scan') || plan['Node Type'].startsWith('CTE')) return inner;
  return inner + (plan['Actual Rows']! + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']!;
}

function namesIn(plan: Plan): string[] {
  const own = plan['Index Name'] === undefined ? [] : [plan['Index Name']];
  return [...own, ...(plan.Plans ?? []).flatMap(namesIn)];
}
