import { z } from 'zod';
import type { EventDefinition } from './event.js';
import { secretsIn, type Secrets } from '../schemas/common.js';
import type { HandedOut } from '../principals/handed-out.js';
import type { InternalCall } from './internal-call.js';
import type { Caller, OperationAccess } from '../principals/principal.js';
import type { Scope } from '../principals/scopes.js';
import type { ServiceName } from '../services.js';
import type { Tag } from './tags.js';

export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type HttpMethod = (typeof httpMethods)[number];

/**
 * How the answer travels: JSON, an event stream, bytes that never cross Redis, a page for a person's browser, which may
 * be sent on to another address instead, a document that a team has had made and that is shown confined, rows of text,
 * which the owner gives page by page, or messages of a protocol that the gateway speaks itself.
 */
export type OperationKind = 'json' | 'stream' | 'binary' | 'page' | 'document' | 'rows' | 'rpc';

/** The subject that the gateway follows for a client: a run, or the feed of a team. */
export type Followed = 'run' | 'team';

export interface EventStream {
  readonly of: Followed;
  readonly item: string;
  readonly events: readonly EventDefinition[];
}

/** The read that answers HEAD, with the same parameters, scope and refusals. */
export interface HeadSource {
  readonly operation: Operation;
  readonly contentType: string;
}

/**
 * How the request travels. `form`: a multipart form with one file, `bytes`: the body is the file, `rows`: it is a file of
 * rows, in a format that its type names. The gateway stores such a file before the owner hears of it.
 */
export type RequestMedium = 'json' | 'form' | 'bytes' | 'rows';

/**
 * `atomic`: the key's record is written in the transaction of the effect.
 * `leased`: the operation calls out, so an in-progress record is committed first.
 * `batched`: the handler writes the record itself, in the one statement that has its effect and those of others.
 */
export type IdempotencyMode = 'atomic' | 'leased' | 'batched';

interface OperationDefinition<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
  Access extends OperationAccess,
> {
  readonly operationId: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  /** The service that owns the data and has the handler. */
  readonly owner: ServiceName;
  readonly scope: Scope;
  readonly access?: Access;
  readonly params?: Params & z.ZodObject;
  readonly query?: Query;
  readonly body?: Body;
  readonly status: number;
  readonly response: Response;
  readonly kind?: OperationKind;
  /** The subject for which `wait_seconds` in the body waits. */
  readonly waitsFor?: 'run';
  readonly streams?: EventStream;
  readonly headFrom?: HeadSource;
  readonly takes?: RequestMedium;
  readonly idempotency?: IdempotencyMode;
  /** How long a caller waits for the answer; where it is not said, as long as for any request. */
  readonly timeoutMs?: number;
  /** For MCP annotations: whether repeating the call changes nothing more, and whether it destroys something. */
  readonly repeatable?: boolean;
  readonly destructive?: boolean;
  /** The answer contains a key or secret of the team. It must not reach a model, so the operation is no MCP tool. */
  readonly disclosesSecret?: boolean;
  /** For an answer that is a credential: what it may do. Its replay is only for who holds as much. */
  handsOut?(answer: z.output<Response>): HandedOut;
}

type NoFields = z.ZodObject<Record<never, never>>;

/** A declared operation: everything that routes, validates, documents and authorises it. */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Access extends OperationAccess = OperationAccess,
> {
  readonly operationId: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly tag: Tag;
  readonly owner: ServiceName;
  readonly scope: Scope;
  readonly access: Access;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly hasBody: boolean;
  readonly status: number;
  readonly response: Response;
  readonly kind: OperationKind;
  readonly waitsFor: 'run' | undefined;
  readonly streams: EventStream | undefined;
  readonly headFrom: HeadSource | undefined;
  readonly takes: RequestMedium;
  readonly mutating: boolean;
  readonly idempotency: IdempotencyMode;
  readonly timeoutMs: number | undefined;
  readonly repeatable: boolean;
  readonly destructive: boolean;
  readonly disclosesSecret: boolean;
  readonly secrets: Secrets;
  handsOut?(answer: z.output<Response>): HandedOut;
}

const noFields: NoFields = z.object({});

/** Declares an operation. What can be derived is derived here and nowhere else. */
export function defineOperation<
  Response extends z.ZodType,
  Params extends z.ZodType = NoFields,
  Query extends z.ZodType = NoFields,
  Body extends z.ZodType = NoFields,
  const Access extends OperationAccess = 'team',
>(
  definition: OperationDefinition<Params, Query, Body, Response, Access>,
): Operation<Params, Query, Body, Response, Access> {
  const mutating = definition.method !== 'GET';
  const declared = pathParams(definition.path);
  const described = Object.keys(definition.params?.shape ?? {});
  if (declared.join() !== described.join()) {
    throw new Error(`${definition.operationId}: the path has [${declared}], params has [${described}]`);
  }
  return {
    operationId: definition.operationId,
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    description: definition.description,
    tag: definition.tag,
    owner: definition.owner,
    scope: definition.scope,
    access: definition.access ?? ('team' as Access),
    params: (definition.params ?? noFields) as unknown as Params,
    query: (definition.query ?? noFields) as unknown as Query,
    body: (definition.body ?? noFields) as unknown as Body,
    hasBody: definition.body !== undefined,
    status: definition.status,
    response: definition.response,
    kind: definition.kind ?? 'json',
    waitsFor: definition.waitsFor,
    streams: definition.streams,
    headFrom: definition.headFrom,
    takes: definition.takes ?? 'json',
    mutating,
    idempotency: definition.idempotency ?? 'atomic',
    timeoutMs: definition.timeoutMs,
    repeatable: definition.repeatable ?? ['GET', 'PUT', 'DELETE'].includes(definition.method),
    destructive: definition.destructive ?? definition.method === 'DELETE',
    disclosesSecret: definition.disclosesSecret ?? false,
    secrets: secretsIn([definition.body, definition.query], definition.response),
    handsOut: definition.handsOut,
  };
}

export function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}

/** The names in `{braces}` of a path, in order. */
export function pathParams(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}

/** How the caller reached the gateway. */
export const channels = ['api', 'mcp'] as const;

export type Channel = (typeof channels)[number];

interface CheckedRequest<O extends Operation> {
  readonly params: z.output<O['params']>;
  readonly query: z.output<O['query']>;
  readonly body: z.output<O['body']>;
  /** For operations that take a file: where the gateway has put it. */
  readonly upload?: StagedFile;
  /** For `batched` operations that were given a key: the record that the handler must write. */
  readonly keyRecord?: KeyRecord;
  /** The HTTP interface where none is named. */
  readonly channel?: Channel;
}

/** The principal and the validated request. */
export type OperationRequest<O extends Operation = Operation> = Caller<O['access']> & CheckedRequest<O>;

/** The request of an operation or of a call between services: `getRun({ params }: Req<typeof getRun>)`. */
export type Req<D extends Operation | InternalCall> = D extends Operation
  ? OperationRequest<D>
  : D extends InternalCall
    ? z.output<D['request']>
    : never;

/** A file that was received and is not yet part of anything; a file that no operation commits is swept. */
export interface StagedFile {
  readonly key: string;
  readonly size_bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** The name that the sender gave it. */
  readonly name?: string;
}

/** In place of a key: the file was read to tell its request from another, and is stored nowhere. */
export const notStoredKey = 'not-stored';

/** Names the record of an Idempotency-Key and tells one request body from another. */
export interface KeyRecord {
  readonly scope: string;
  readonly fingerprint: string;
}

export type OperationResponse<O extends Operation> = z.input<O['response']>;
