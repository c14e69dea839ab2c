import { scrub } from '@aos/platform';
import type { APICallError } from 'ai';
import { z } from 'zod';

const maxReasonLength = 500;
const requestIdHeaders = ['x-request-id', 'request-id'];
/** Providers quote parts of a wrong key. */
const keyLike = /\b(?:sk|pk|rk|key|AIza|AKIA|ASIA)[-_A-Za-z0-9*]{8,}|\b(?=\w*\d)(?=\w*[a-z])[-\w]{32,}/gi;
const namedSecret = /\b(passw(?:or)?d|secret|api[ _-]?key)\b(\s*[:=]\s*|\s+is\s+)["']?[^\s"',;]+/gi;

/** Describes the refusal of a provider, with the ID by which its support finds the request. */
export function refusalOf(error: APICallError): string {
  const id = requestIdHeaders.flatMap((name) => error.responseHeaders?.[name] ?? [])[0];
  const reason = withoutSecrets(saidIn(error.responseBody) ?? error.message);
  return [
    `answered ${error.statusCode}`,
    reason === '' ? '' : `: ${reason}`,
    id === undefined ? '' : ` (request ${id.slice(0, 100)})`,
  ].join('');
}

/** Reads the message of an error that came inside the stream of an answer. */
export function streamedErrorOf(error: unknown): string | undefined {
  const said = error instanceof Error ? undefined : messageSchema.safeParse(error).data;
  return said && withoutSecrets(said);
}

function withoutSecrets(said: string): string {
  const scrubbed = scrub(said).replace(namedSecret, '$1$2[redacted]').replace(keyLike, '[redacted]');
  const trimmed = scrubbed.trim().replace(/[\s.]+$/, '');
  return trimmed.length > maxReasonLength ? `${trimmed.slice(0, maxReasonLength - 1)}…` : trimmed;
}

const textSchema = z.string().trim().min(1);
const namedMessage = z.object({ message: textSchema }).transform(({ message }) => message);
const anyMessage = z.union([textSchema, namedMessage]);
const messageSchema = z.union([
  anyMessage,
  z.object({ error: anyMessage }).transform(({ error }) => error),
  z.object({ detail: anyMessage }).transform(({ detail }) => detail),
  z.object({ errors: z.tuple([anyMessage], z.unknown()) }).transform(({ errors }) => errors[0]),
  z.tuple([z.object({ error: anyMessage })], z.unknown()).transform(([{ error }]) => error),
]);

/** Reads the forms of providers and of proxies before them: the SDK knows only the provider's own. */
function saidIn(body = ''): string | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(body)).data;
  } catch {
    // HTML of a proxy says nothing about the request.
    return body.trimStart().startsWith('<') ? undefined : textSchema.safeParse(body).data;
  }
}
