import type { Operation } from '@aos/contracts';
import { idempotencyKey } from '../operations/idempotency-key.js';

/** In the `_meta` of a call, for clients that cannot set a header for each; it wins over the header. */
export const idempotencyMetaKey = 'idempotencyKey';

/** The key under which the operation of a tool is called. */
export function callIdempotencyKey(
  operation: Operation,
  meta: Readonly<Record<string, unknown>>,
  ofRequest: string | undefined,
): string | undefined {
  const own = meta[idempotencyMetaKey] ?? undefined;
  const given = own === undefined ? ofRequest : typeof own === 'string' ? own : '';
  return idempotencyKey(operation, given);
}
