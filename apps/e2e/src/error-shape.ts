import { errorCatalogue, isErrorCode } from '@aos/contracts';
import type { HttpAnswer } from './http-exchange.js';

/** Signs of our inside that no caller may see. */
const inside = [
  /\bat \S+ \(?\S+:\d+:\d+/,
  /node_modules|node:internal|\.(ts|js):\d+/,
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.*\b(FROM|VALUES|SET|WHERE)\b/,
  /\bECONN|ENOTFOUND|127\.0\.0\.1|localhost|postgres|redis/i,
];

/** In what an answer departs from the one shape of errors: `error` from the catalogue, `message`, nothing else. */
export function errorShapeProblems({ status, headers, text }: HttpAnswer): string[] {
  if (!headers['content-type']?.startsWith('application/json')) {
    return [`an error with the content type ${headers['content-type']}`];
  }
  const body = parseObject(text);
  if (!body) return [`an error that is no JSON object: ${text.slice(0, 200)}`];
  const { error, message, ...more } = body;
  const problems = Object.keys(more).map((name) => `an error with the extra field ${name}`);
  if (typeof message !== 'string' || message === '') problems.push('an error without a message');
  if (!isErrorCode(error)) problems.push(`the unknown error code ${String(error)}`);
  // HTTP has a status of its own for a part that a file does not have.
  else if (errorCatalogue[error].status !== (status === 416 ? 400 : status))
    problems.push(`${error} with the status ${status}`);
  if (status === 503 && !isWholeNumber(headers['retry-after'])) problems.push('503 without Retry-After');
  if (inside.some((sign) => sign.test(text)))
    problems.push(`an error that tells of our inside: ${text.slice(0, 200)}`);
  return problems;
}

export function isWholeNumber(header: unknown): boolean {
  return typeof header === 'string' && /^\d+$/.test(header);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
