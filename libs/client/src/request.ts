import type { Bytes } from './bytes.js';
import type { OperationEntry } from './operation-entry.js';

export type Input = Readonly<Record<string, unknown>>;

/** A request without what comes from the client's options. */
export interface PreparedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly contentType?: string;
  readonly body?: Bytes | FormData;
  /** Whether it can be sent again: a stream is read once. */
  readonly isRepeatable: boolean;
}

/** Puts the fields of the input where the operation wants them. */
export function prepare(entry: OperationEntry, input: Input, teamId?: string): PreparedRequest {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const take = (name: string): unknown => {
    const value = rest.get(name);
    rest.delete(name);
    return value;
  };
  const path = entry.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    segment(name, take(name) ?? (name === 'teamId' ? teamId : undefined)),
  );
  const hasBody = entry.takes !== undefined || ['POST', 'PUT', 'PATCH'].includes(entry.method);
  const inQuery = hasBody ? (entry.query ?? []) : [...rest.keys()];
  const query = queryText(inQuery.map((name) => [name, take(name)]));
  const request = { method: entry.method, target: path + query };
  if (!hasBody) return { ...request, isRepeatable: true };
  if (entry.takes === 'bytes') return { ...request, ...bytesBody(take('body'), take('content_type')) };
  if (entry.takes === 'form') return { ...request, body: formBody(rest), isRepeatable: true };
  const body = JSON.stringify(Object.fromEntries(rest));
  return { ...request, contentType: 'application/json', body, isRepeatable: true };
}

/** An empty part, or one of dots, would make another path. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${name}: is required`);
  const parts = name === 'path' ? value.split('/') : [value];
  const other = parts.find((part) => /^\.{0,2}$/.test(part));
  if (other !== undefined) {
    throw new TypeError(
      name === 'path' ? `${name}: must not have a part "${other}"` : `${name}: must not be "${other}"`,
    );
  }
  return parts.map(encodeURIComponent).join('/');
}

function queryText(fields: readonly (readonly [string, unknown])[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of fields) {
    if (value === undefined || value === null) continue;
    query.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  return query.size > 0 ? `?${query}` : '';
}

function bytesBody(body: unknown, type: unknown): Omit<PreparedRequest, 'method' | 'target'> {
  const contentType = typeof type === 'string' ? type : 'application/octet-stream';
  return { body: body as Bytes, contentType, isRepeatable: !(body instanceof ReadableStream) };
}

function formBody(fields: ReadonlyMap<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (name !== 'file') form.append(name, String(value));
  }
  // Behind the fields, which tell what to do with it.
  const file = fields.get('file');
  if (file instanceof Blob) form.append('file', file);
  else if (file !== undefined) form.append('file', new Blob([file as string]));
  return form;
}
