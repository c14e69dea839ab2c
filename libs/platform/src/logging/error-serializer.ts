import { types } from 'node:util';

const maxCauses = 4;
const maxErrors = 5;

export interface SerializedError {
  type: string;
  message: string;
  stack?: string;
  code?: string | number;
  constraint?: string;
  cause?: SerializedError;
  errors?: SerializedError[];
}

/**
 * An error as a log line may show it: only the fields named here. Drivers and HTTP clients hang SQL parameters,
 * row values (`detail`), request headers and whole sockets on their errors; none of them gets through.
 */
export function serializeError(error: unknown, depth = 0): SerializedError {
  if (!isError(error)) return { type: typeof error, message: String(error) };
  const code = fieldOf(error, 'code');
  const constraint = fieldOf(error, 'constraint');
  const serialized: SerializedError = { type: error.name, message: error.message, stack: error.stack };
  if (typeof code === 'string' || typeof code === 'number') serialized.code = code;
  if (typeof constraint === 'string') serialized.constraint = constraint;
  if (depth >= maxCauses) return serialized;
  if (isError(error.cause)) serialized.cause = serializeError(error.cause, depth + 1);
  const errors = fieldOf(error, 'errors');
  if (Array.isArray(errors)) {
    serialized.errors = errors.slice(0, maxErrors).map((item) => serializeError(item, depth + 1));
  }
  return serialized;
}

/** Also true for errors of another realm, which are no instances of this one's `Error` (Node's own, inside Jest). */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

function fieldOf(error: Error, key: string): unknown {
  return (error as Error & Record<string, unknown>)[key];
}
