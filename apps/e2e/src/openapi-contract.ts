import type { Operation } from '@aos/contracts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { errorShapeProblems, isWholeNumber } from './error-shape.js';
import { exchange, type HttpAnswer } from './http-exchange.js';

/** By which schemas name the document that they are part of. */
const documentId = 'openapi';

type Json = Record<string, unknown>;

interface ResponseObject {
  readonly headers?: Json;
  readonly content?: Record<string, { schema: Json }>;
}

/** What HTTP itself answers to a method that a path does not have; no operation lists it. */
const unlisted = new Set([405]);
const withoutCredential = new Set([401, 405, 503]);
const rateLimitHeaders = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
/** Headers that the document declares wherever they may come. */
const declaredHeaders = [
  ...rateLimitHeaders,
  'retry-after',
  'x-request-id',
  'www-authenticate',
  'idempotency-replayed',
  'x-ignored-fields',
  'preference-applied',
];

/** Compiling the validators takes a second, so the files of a worker share them. */
const loaded = new Map<string, OpenApiContract>();

/** The OpenAPI document of a running gateway, to which its answers are held. */
export class OpenApiContract {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly closed: Json;

  constructor(
    readonly document: Json,
    private readonly rateLimited = true,
  ) {
    addFormats.default(this.ajv);
    this.closed = withoutUndeclared(document) as Json;
    this.ajv.addSchema(this.closed, documentId);
  }

  static async load(baseUrl: string, rateLimited = true): Promise<OpenApiContract> {
    const { text } = await exchange(baseUrl, { method: 'GET', path: '/v2/openapi.json' });
    const key = `${rateLimited} ${text}`;
    const contract = loaded.get(key) ?? new OpenApiContract(JSON.parse(text) as Json, rateLimited);
    loaded.set(key, contract);
    return contract;
  }

  /** Everything in which an answer departs from what the document promises for the operation. */
  problemsOf(
    operation: Pick<Operation, 'method' | 'path' | 'kind' | 'access'>,
    answer: HttpAnswer,
  ): string[] {
    return [
      ...this.headerProblems(operation, answer),
      ...this.undeclaredHeaders(operation, answer),
      ...this.bodyProblems(operation, answer),
    ];
  }

  private undeclaredHeaders(
    { method, path }: Pick<Operation, 'method' | 'path'>,
    { status, headers }: HttpAnswer,
  ): string[] {
    const response = this.response(pointerTo(method, path, status));
    if (!response) return [];
    const declared = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    return declaredHeaders
      .filter((name) => headers[name] !== undefined && !declared.includes(name))
      .map((name) => `the undeclared header ${name}`);
  }

  private bodyProblems(
    { method, path, kind }: Pick<Operation, 'method' | 'path' | 'kind'>,
    answer: HttpAnswer,
  ): string[] {
    const pointer = pointerTo(method, path, answer.status);
    const response = this.response(pointer);
    if (!response && !unlisted.has(answer.status)) return [`the undeclared status ${answer.status}`];
    if (answer.status >= 400) {
      return [
        ...errorShapeProblems(answer),
        ...(response ? this.schemaProblems(pointer, response, answer) : []),
      ];
    }
    if (kind !== 'json') return [];
    return this.schemaProblems(pointer, response!, answer);
  }

  private schemaProblems(pointer: string[], response: ResponseObject, answer: HttpAnswer): string[] {
    const schema = response.content?.['application/json']?.schema;
    if (!schema) return answer.text === '' ? [] : ['a body where none is declared'];
    if (!answer.headers['content-type']?.startsWith('application/json')) {
      return [`the content type ${answer.headers['content-type']}`];
    }
    const validate = this.validator(pointer.join('\n'), schema);
    if (validate(JSON.parse(answer.text))) return [];
    return validate.errors!.map(({ instancePath, message, params }) =>
      [`body${instancePath}`, message, JSON.stringify(params)].join(' '),
    );
  }

  private headerProblems({ access }: Pick<Operation, 'access'>, { status, headers }: HttpAnswer): string[] {
    const problems: string[] = [];
    if (!headers['x-request-id']) problems.push('no X-Request-Id');
    const present = rateLimitHeaders.filter((name) => headers[name] !== undefined);
    // Failed authentications have a limit of their own.
    const isLimited = this.rateLimited || status === 429;
    // An address that is no URL belongs to no team.
    const isAnonymous = withoutCredential.has(status) || (access === 'link' && status === 404);
    const required = isLimited && (!isAnonymous || present.length > 0);
    for (const name of required ? rateLimitHeaders : []) {
      if (!isWholeNumber(headers[name])) problems.push(`${name} is ${headers[name]}`);
    }
    if (!isLimited && present.length > 0) problems.push(`${present} though nothing is limited`);
    if (status === 429 && !isWholeNumber(headers['retry-after'])) problems.push('429 without Retry-After');
    if (status === 401 && !headers['www-authenticate']?.startsWith('Bearer ')) {
      problems.push('401 without WWW-Authenticate');
    }
    return problems;
  }

  private response(pointer: string[]): ResponseObject | undefined {
    const found = this.at(pointer) as (ResponseObject & { $ref?: string }) | undefined;
    return found?.$ref === undefined
      ? found
      : (this.at(found.$ref.slice(documentId.length + 1).split('/')) as ResponseObject);
  }

  private at(pointer: string[]): unknown {
    return pointer.slice(1).reduce<unknown>((value, key) => (value as Json | undefined)?.[key], this.closed);
  }

  private validator(name: string, schema: Json): ValidateFunction {
    let validate = this.validators.get(name);
    if (!validate) {
      validate = this.ajv.compile(schema);
      this.validators.set(name, validate);
    }
    return validate;
  }
}

function pointerTo(method: string, path: string, status: number): string[] {
  return ['', 'paths', path, method.toLowerCase(), 'responses', String(status)];
}

/** A copy in which objects have their declared fields and no others: what the server adds unsaid is a fault too. */
function withoutUndeclared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndeclared);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' ? `${documentId}${inner}` : withoutUndeclared(inner),
    ]),
  );
  const isSchema = copy['type'] === 'object' && copy['properties'] !== undefined;
  return isSchema ? { additionalProperties: false, ...copy } : copy;
}
