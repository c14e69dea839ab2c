import { isError, serializeError } from './error-serializer.js';

const redacted = '[redacted]';
// By the end of the name, so that `token_type`, `secret_id` and `password_changed_at` stay readable.
const secretKey =
  /(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|admin[-_]?key|private[-_]?key|secrets[-_]?key|authorization|cookie|credential)s?$/i;
// Bounds for the cost of a line when code logs a socket or a whole response.
const maxDepth = 6;
const maxNodes = 500;

interface Budget {
  nodes: number;
}

/** Hides secrets by the name of their key at any depth and puts errors into their safe form; copies what it changes. */
export function redactFields(fields: object): Record<string, unknown> {
  return redactObject(fields as Record<string, unknown>, 0, { nodes: maxNodes });
}

function redactObject(
  value: Record<string, unknown>,
  depth: number,
  budget: Budget,
): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const field = value[key];
    const safe = hidden(key, field) ? redacted : redactValue(field, depth + 1, budget);
    if (safe === field) continue;
    copy ??= { ...value };
    copy[key] = safe;
  }
  return copy ?? value;
}

// Numbers and switches are no secrets: `input_tokens: 12`, `has_secret: true`.
function hidden(key: string, field: unknown): boolean {
  return (typeof field === 'string' || (typeof field === 'object' && field !== null)) && secretKey.test(key);
}

function redactValue(value: unknown, depth: number, budget: Budget): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  budget.nodes -= 1;
  if (depth > maxDepth || budget.nodes < 0) return '[cut]';
  if (isError(value)) return serializeError(value);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1, budget));
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return redactValue(value.toJSON(), depth + 1, budget);
  }
  return redactObject(value as Record<string, unknown>, depth, budget);
}
