import type { RunCounterEntity } from './run-counter.entity.js';

type Counter = Pick<RunCounterEntity, 'last' | 'former' | 'former_given'>;

/**
 * The numbers of the next runs, oldest first, that were made without one, and the counter after them. Those that are kept
 * for such runs come first; a replica of the version before may have made more since.
 */
export function formerNumbers(
  { last, former, former_given: given }: Counter,
  count: number,
): { readonly numbers: readonly number[]; readonly counter: Counter } {
  const kept = Math.min(count, former - given);
  const numbers = Array.from({ length: count }, (_, place) =>
    place < kept ? given + place + 1 : last + place - kept + 1,
  );
  return { numbers, counter: { last: last + count - kept, former, former_given: given + kept } };
}
