import type { z } from 'zod';
import { withoutAbsentNulls } from './absent-nulls.js';
import { AppError, notFound } from '../errors.js';
import type { Operation } from '../declarations/operation.js';

/** A request as it came: path parameters and query as text, the body as parsed JSON. */
export interface RawRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface ParsedRequest<O extends Operation> {
  readonly params: z.output<O['params']>;
  readonly query: z.output<O['query']>;
  readonly body: z.output<O['body']>;
}

const maxNamedFaults = 20;
const maxPathLength = 200;

/**
 * Checks the shape of a request; reads no row. Faults in query and body are one 400 that names every field,
 * a path id that cannot exist is a 404. The only validation of requests in the product.
 */
export function parseRequest<O extends Operation>(operation: O, raw: RawRequest): ParsedRequest<O> {
  const query = operation.query.safeParse(raw.query);
  const body = operation.body.safeParse(
    raw.body === undefined ? {} : withoutAbsentNulls(operation.body, raw.body),
  );
  const faults = [
    ...(query.error?.issues ?? []),
    ...(body.error?.issues ?? []),
    ...unstorableText(raw.query),
    ...unstorableText(raw.body),
  ];
  if (faults.length > 0) throw new AppError('invalid_request', describe(faults));
  const params = operation.params.safeParse(raw.params);
  if (params.error || unstorableText(raw.params).length > 0) throw notFound();
  return {
    params: params.data as z.output<O['params']>,
    query: query.data as z.output<O['query']>,
    body: body.data as z.output<O['body']>,
  };
}

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function describe(faults: readonly Fault[]): string {
  const lines = faults.slice(0, maxNamedFaults).map(({ path, message }) => {
    const name = path.map(String).join('.').slice(0, maxPathLength);
    return name === '' ? message : `${name}: ${message}`;
  });
  if (faults.length > maxNamedFaults) lines.push(`and ${faults.length - maxNamedFaults} more`);
  return lines.join('; ');
}

/** A place in the input; the path is spelled out only for a fault, since input may be deep. */
interface Place {
  readonly value: unknown;
  readonly key: string;
  readonly parent: Place | undefined;
}

/**
 * Postgres stores neither NUL nor half a surrogate pair; found here they are the caller's fault with a name,
 * found there they would be a 500. Walks without recursion.
 */
function unstorableText(root: unknown): Fault[] {
  const faults: Fault[] = [];
  const stack: Place[] = [{ value: root, key: '', parent: undefined }];
  while (stack.length > 0 && faults.length < maxNamedFaults) {
    const place = stack.pop()!;
    if (typeof place.value === 'string') {
      if (!isStorable(place.value)) faults.push({ path: pathOf(place), message: textMessage });
    } else if (typeof place.value === 'object' && place.value !== null) {
      for (const [key, value] of Object.entries(place.value)) {
        if (isStorable(key)) stack.push({ value, key, parent: place });
        else faults.push({ path: pathOf(place), message: textMessage });
      }
    }
  }
  return faults;
}

/** Whether a value holds text that Postgres cannot store. */
export function hasUnstorableText(value: unknown): boolean {
  return unstorableText(value).length > 0;
}

function pathOf(place: Place): string[] {
  const path: string[] = [];
  for (let at: Place = place; at.parent; at = at.parent) path.push(at.key);
  return path.reverse();
}

const textMessage = 'Invalid text: contains a NUL or an unpaired surrogate';

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
