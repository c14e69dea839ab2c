import { AppError, type Operation } from '@aos/contracts';

const maxLength = 255;

/** The key of a mutating request; on a read the header has no meaning and is ignored. */
export function idempotencyKey(
  operation: Operation,
  header: string | string[] | undefined,
): string | undefined {
  if (!operation.mutating || header === undefined) return undefined;
  if (typeof header !== 'string' || header.length === 0 || header.length > maxLength) {
    throw new AppError('invalid_idempotency_key', `Idempotency-Key must have 1 to ${maxLength} characters.`);
  }
  return header;
}
