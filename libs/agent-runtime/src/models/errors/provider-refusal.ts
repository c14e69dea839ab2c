import { scrub } from '@aos/platform';
import type { APICallError } from 'ai';
import { z } from 'zod';

const maxReasonLength = 500;
const requestIdHeaders = ['x-request-id', 'request-id'];
/** Providers quote parts of a wrong key. */
const keyLike = /\b(?:sk|pk|rk|key|AIza)[-_A-Za-z0-9*]{8,}|\b(?=\w*\d)(?=\w*[a-z])[-\w]{32,}/gi;

/** What a provider said when it refused, and by which id its support finds the request. */
export function refusalOf(error: APICallError): string {
  const id = requestIdHeaders.flatMap((name) => error.responseHeaders?.[name] ?? [])[0];
  const said = scrub(saidIn(error.responseBody) ?? error.message).replace(keyLike, '[redacted]');
  const trimmed = said.trim().replace(/[\s.]+$/, '');
  const reason = trimmed.length > maxReasonLength ? `${trimmed.slice(0, maxReasonLength - 1)}…` : trimmed;
  return [
    `answered ${error.statusCode}`,
    reason === '' ? '' : `: ${reason}`,
    id === undefined ? '' : ` (request ${id.slice(0, 100)})`,
  ].join('');
}

const bodySchema = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

/** The SDK reads only what is exactly as the provider's own; what stands between may answer too. */
function saidIn(body = ''): string | undefined {
  try {
    return bodySchema.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}
