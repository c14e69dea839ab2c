import type { ApiError as ApiErrorBody } from './generated.js';

export type ErrorCode = ApiErrorBody['error'];

/** The service refused, or failed: `code` for programs, `message` for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    /** Null where something in between answered, such as a proxy. */
    readonly code: ErrorCode | null,
    message: string,
    /** What an operator finds the request by. */
    readonly requestId: string | null,
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
  }
}

/** No answer: the service could not be reached, or said nothing in time. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

export async function errorIn(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const { error, message } = bodyIn(text);
  return new ApiError(
    response.status,
    error ?? null,
    message ?? (text.slice(0, 200) || response.statusText || `status ${response.status}`),
    response.headers.get('x-request-id'),
    secondsIn(response.headers.get('retry-after')),
  );
}

function bodyIn(text: string): Partial<ApiErrorBody> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

function secondsIn(header: string | null): number | null {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
