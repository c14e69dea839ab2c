import { z } from 'zod';
import { boundedRecord, idSchema, secret, timestampSchema } from './common.js';
import { named } from './named.js';

export const connectionTypes = ['native', 'custom_mcp'] as const;
export const connectionAuthMethods = ['oauth', 'apikey', 'headers', 'url', 'none'] as const;
export const connectionStatuses = ['pending', 'active', 'broken'] as const;

export const connectionTypeSchema = named('ConnectionType', z.enum(connectionTypes));
export const connectionAuthMethodSchema = named('ConnectionAuthMethod', z.enum(connectionAuthMethods));
/** pending: a person has yet to consent · active: it can be used · broken: a person has to do something. */
export const connectionStatusSchema = named('ConnectionStatus', z.enum(connectionStatuses));

export type ConnectionType = z.output<typeof connectionTypeSchema>;
export type ConnectionAuthMethod = z.output<typeof connectionAuthMethodSchema>;
export type ConnectionStatus = z.output<typeof connectionStatusSchema>;

export const connectionSchema = named(
  'Connection',
  z.object({
    id: idSchema,
    connection_id: idSchema,
    team_id: idSchema,
    name: z.string(),
    type: connectionTypeSchema,
    /** The name of a native connector; `mcp` for other servers, unless its maker called it something else. */
    provider: z.string(),
    /** With `auth_method: url` its origin: the rest is the credential. */
    server_url: z.string(),
    auth_method: connectionAuthMethodSchema,
    /** The granted scopes, if the provider reported them. */
    oauth_scopes: z.array(z.string()),
    /** Scopes that the server demanded since; the next consent requests them. */
    required_scopes: z.array(z.string()),
    /** Public headers; secret ones are never shown. */
    headers: z.object({ plaintext: z.record(z.string(), z.string()) }),
    has_headers: z.boolean(),
    has_oauth_tokens: z.boolean(),
    status: connectionStatusSchema,
    broken_at: timestampSchema.nullable(),
    broken_reason: z.string().nullable(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  }),
);

export type Connection = z.output<typeof connectionSchema>;

const maxHeaders = 50;
const maxHeaderLength = 8_192;
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,200}$/;
/** Latin-1 without control characters, so that no value can end its line. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/** They belong to the connection itself, or would make one request into two. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

type Headers = Record<string, string>;

/** The headers of a connection, by whether they may be shown. */
export interface ConnectionHeaders {
  readonly plaintext: Headers;
  readonly secret: Headers;
}

/**
 * `{plaintext: {…}, secret: {…}}`, where either may be missing or null, or any other object, all of whose values are
 * secret.
 */
export const connectionHeadersSchema = secret(
  boundedRecord(z.string(), z.unknown(), { max: maxHeaders }).transform(
    (given, context): ConnectionHeaders => {
      const structured = structuredHeaders(given);
      const groups = structured ?? { plaintext: {}, secret: given };
      const problem = problemOfHeaders([
        ...Object.entries(groups.plaintext),
        ...Object.entries(groups.secret),
      ]);
      if (problem !== undefined) {
        context.addIssue({ code: 'custom', message: problem });
        return z.NEVER;
      }
      return groups as ConnectionHeaders;
    },
  ),
);

function structuredHeaders(
  given: Record<string, unknown>,
): Record<'plaintext' | 'secret', object> | undefined {
  const keys = Object.keys(given);
  const plaintext = given['plaintext'] ?? {};
  const hidden = given['secret'] ?? {};
  const isStructured = keys.length > 0 && keys.every((key) => key === 'plaintext' || key === 'secret');
  return isStructured && isObject(plaintext) && isObject(hidden) ? { plaintext, secret: hidden } : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Says nothing of the values: they are secrets. The plain and the secret ones may have a name in common, which is a fault. */
function problemOfHeaders(headers: readonly [string, unknown][]): string | undefined {
  const names = headers.map(([name]) => name);
  if (names.length > maxHeaders) return `Too many headers: at most ${maxHeaders}`;
  for (const [name, value] of headers) {
    if (!headerName.test(name)) return 'Invalid header: one of the names is no name of a header';
    if (ownHeaders.has(name.toLowerCase())) return `Invalid header: ${name} cannot be set`;
    if (typeof value !== 'string') return `Invalid header: the value of ${name} must be a text`;
    if (value.length > maxHeaderLength || !headerValue.test(value)) {
      return `Invalid header: the value of ${name} is too long, or has characters that no header can hold`;
    }
  }
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    return 'Invalid header: one of the names is given twice';
  }
  return undefined;
}

const maxUrlLength = 2_048;

/** Checks the form of the URL only; the SSRF guard checks the address. */
export const serverUrlSchema = z.string().min(1).max(maxUrlLength);

export const connectionNameSchema = z.string().min(1).max(200);

/** Sent as a bearer. */
export const serverKeySchema = secret(
  z
    .string()
    .min(1)
    .max(maxHeaderLength - 'Bearer '.length)
    .regex(/^[\x21-\x7e]+$/, 'Invalid key: only visible ASCII characters, no blanks'),
);
