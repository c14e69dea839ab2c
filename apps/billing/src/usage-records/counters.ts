/** The counters: columns of a record and of each sum. */
export const counters = [
  'runs_started',
  'runs_reopened',
  'runs_completed',
  'runs_failed',
  'runs_stopped',
  'active_ms',
  'messages',
  'tool_calls',
  'input_tokens',
  'output_tokens',
  'human_requests',
  'webhook_deliveries',
  'mcp_calls',
] as const;

export type Counter = (typeof counters)[number];

export type Counts = Readonly<Record<Counter, number>>;

export const noCounts = Object.fromEntries(counters.map((counter) => [counter, 0])) as Counts;

/** Counters as Postgres gives them: bigint, and so text. */
export type StoredCounts = Readonly<Record<Counter, string>>;

export function sumOf(rows: readonly StoredCounts[]): Counts {
  return Object.fromEntries(
    counters.map((counter) => [counter, rows.reduce((sum, row) => sum + Number(row[counter]), 0)]),
  ) as Counts;
}
