import type { Operation } from '@aos/contracts';
import { errorShapeProblems } from './error-shape.js';
import { exchange, type HttpAnswer } from './http-exchange.js';
import { OpenApiContract } from './openapi-contract.js';

export interface CallOptions {
  /** By default the client's own; null sends no Authorization. */
  readonly token?: string | null;
  /** Path parameters, encoded as they shall travel. */
  readonly params?: Readonly<Record<string, string>>;
  /** The query, or its text as it shall travel. */
  readonly query?: Readonly<Record<string, string>> | string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly rawBody?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export interface ApiAnswer extends HttpAnswer {
  readonly body: unknown;
}

/** Calls the API and throws at any answer that is not as the server's own OpenAPI document says. */
export class ApiClient {
  private constructor(
    private readonly baseUrl: string,
    readonly contract: OpenApiContract,
    private readonly token: string | undefined,
  ) {}

  static async connect(baseUrl: string, options: { token?: string; rateLimited?: boolean } = {}) {
    const contract = await OpenApiContract.load(baseUrl, options.rateLimited);
    return new ApiClient(baseUrl, contract, options.token);
  }

  as(token: string): ApiClient {
    return new ApiClient(this.baseUrl, this.contract, token);
  }

  /** The same client at another gateway. */
  at(baseUrl: string): ApiClient {
    return new ApiClient(baseUrl, this.contract, this.token);
  }

  async call(operation: Operation, options: CallOptions = {}): Promise<ApiAnswer> {
    const path = pathOf(operation, options);
    const answer = await this.send(operation.method, path, options);
    check(`${operation.operationId}: ${operation.method} ${path}`, answer, [
      ...this.contract.problemsOf(operation, answer),
      ...replayProblems(operation, answer),
      ...storageProblems(operation, answer),
    ]);
    return answer;
  }

  /** `call` for an answer that must be the operation's success; gives the body. */
  async succeed<Body = Record<string, unknown>>(
    operation: Operation,
    options: CallOptions = {},
  ): Promise<Body> {
    const answer = await this.call(operation, options);
    if (answer.status !== operation.status) {
      throw new Error(`${operation.operationId} answered ${answer.status}: ${answer.text}`);
    }
    return answer.body as Body;
  }

  /** A request to a path that is no operation: errors must have the shape of errors there too. */
  async request(method: string, path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    const answer = await this.send(method, path, options);
    const isError = answer.status >= 400 && method !== 'HEAD';
    check(`${method} ${path}`, answer, [
      ...(answer.headers['x-request-id'] ? [] : ['no X-Request-Id']),
      ...(isError && !hasOwnForm(path, answer) ? errorShapeProblems(answer) : []),
    ]);
    return answer;
  }

  private async send(method: string, path: string, options: CallOptions): Promise<ApiAnswer> {
    const token = options.token === undefined ? this.token : options.token;
    const json = options.rawBody === undefined && options.body !== undefined;
    const answer = await exchange(this.baseUrl, {
      method,
      path,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(json ? { 'content-type': 'application/json' } : {}),
        ...options.headers,
      },
      body: json ? JSON.stringify(options.body) : options.rawBody,
    });
    return { ...answer, body: bodyOf(answer) };
  }
}

export function pathOf(operation: Pick<Operation, 'path'>, { params = {}, query = {} }: CallOptions): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (params[name] === undefined) throw new Error(`${operation.path} needs ${name}`);
    return params[name];
  });
  const search = typeof query === 'string' ? query : new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

function bodyOf({ headers, text }: HttpAnswer): unknown {
  if (!headers['content-type']?.startsWith('application/json') || text === '') return undefined;
  return JSON.parse(text) as unknown;
}

function storageProblems({ disclosesSecret }: Operation, { status, headers }: HttpAnswer): string[] {
  return disclosesSecret && status < 300 && headers['cache-control'] !== 'no-store'
    ? ['a secret that caches may store']
    : [];
}

function replayProblems({ mutating }: Operation, { status, headers }: HttpAnswer): string[] {
  const replayed = headers['idempotency-replayed'];
  if (replayed === undefined) return [];
  if (!mutating || status >= 500 || replayed !== 'true') return [`Idempotency-Replayed: ${String(replayed)}`];
  return [];
}

/** RFC 6749 has an error form of its own, and so has what orchestrators ask. */
function hasOwnForm(path: string, { text }: HttpAnswer): boolean {
  return path === '/readyz' || (path.startsWith('/oauth/') && text.includes('"error_description"'));
}

function check(what: string, answer: HttpAnswer, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const shown = answer.text.slice(0, 500);
  throw new Error(
    `${what} answered ${answer.status} against the contract:\n${problems.join('\n')}\n${shown}`,
  );
}
