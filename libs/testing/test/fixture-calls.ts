import type { AppError, Operation, OperationAnswer, Principal } from '@aos/contracts';
import type { ServiceClient } from '@aos/messaging';
import { createWidget, type TestDatabase } from '../src/index.js';

export const principal = {
  kind: 'api_key',
  credentialId: '01900000-0000-7000-8000-000000000001',
  teamId: '01900000-0000-7000-8000-000000000002',
  scopes: ['*'],
} as const satisfies Principal;

export interface CallOptions {
  readonly key?: string;
  readonly params?: Record<string, string>;
  readonly teamId?: string;
}

/** A public operation, called as the gateway would. */
export function callOperation(
  client: ServiceClient,
  operation: Operation,
  body: unknown,
  { key, params = {}, teamId = principal.teamId }: CallOptions = {},
): Promise<OperationAnswer> {
  const caller = { ...principal, teamId };
  return client.callOperation(operation, { principal: caller, params, query: {}, body, idempotencyKey: key });
}

export type CallResult = number | string;

/** The status of an answer, or the code of the error that came instead. */
export async function resultOf(answer: Promise<OperationAnswer>): Promise<CallResult> {
  return answer.then(
    ({ status }) => status,
    (error: AppError) => error.code,
  );
}

/** Makes widgets named `<prefix>0`, `<prefix>1` …, a number of them at a time; gives the outcome by name. */
export async function makeWidgets(
  client: ServiceClient,
  options: {
    readonly count: number;
    readonly atOnce: number;
    readonly prefix?: string;
    readonly holdMs?: number;
    /** Called after each one with how many are done. */
    readonly onDone?: (done: number) => void;
  },
): Promise<Map<string, CallResult>> {
  const { count, atOnce, prefix = 'w', holdMs = 0, onDone } = options;
  const outcomes = new Map<string, CallResult>();
  let next = 0;
  const maker = async () => {
    while (next < count) {
      const name = `${prefix}${next++}`;
      const answer = callOperation(client, createWidget, { name, hold_ms: holdMs });
      outcomes.set(name, await resultOf(answer));
      onDone?.(outcomes.size);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, maker));
  return outcomes;
}

export function having(outcomes: ReadonlyMap<string, CallResult>, wanted: CallResult): string[] {
  return [...outcomes].filter(([, outcome]) => outcome === wanted).map(([name]) => name);
}

/** How often each widget exists. */
export async function widgetsByName(database: TestDatabase): Promise<Map<string, number>> {
  const rows = await database.query<{ name: string; count: string }>(
    'SELECT name, count(*) FROM fixture.widget GROUP BY name',
  );
  return new Map(rows.map(({ name, count }) => [name, Number(count)]));
}

export async function countWidgets(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: string }>('SELECT count(*) FROM fixture.widget');
  return Number(row!.count);
}
