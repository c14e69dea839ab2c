import { maxOutputBytes } from '../models/errors/output-too-large-error.js';
import type { EndedOutcome } from '../tools/tool.js';

/** Text as Postgres takes it: neither NUL nor half a surrogate pair. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Every text within a JSON value, keys too. */
export function storable<T>(value: T): T;
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map((item) => storable(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), storable(item)]));
}

/** A result as it can be kept; one that cannot becomes an error that the model is told. */
export function storableResult(result: unknown): EndedOutcome {
  let json: string;
  try {
    json = JSON.stringify(result ?? null) ?? 'null';
  } catch {
    return { kind: 'error', message: 'The tool gave a result that cannot be written as JSON.' };
  }
  const bytes = Buffer.byteLength(json);
  if (bytes > maxOutputBytes) {
    return { kind: 'error', message: `The result is too long: ${bytes} bytes, at most ${maxOutputBytes}.` };
  }
  return { kind: 'result', result: storable(JSON.parse(json) as unknown) };
}
