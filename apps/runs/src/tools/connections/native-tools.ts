import { defineTool, type Tool, type ToolOutcome, TransientToolError } from '@aos/agent-runtime';
import { AppError, type OpenConnection } from '@aos/contracts';
import { type Egress, EgressError } from '@aos/egress';
import { z } from 'zod';
import { bodySchema, exchange, isSafe, methodSchema, openHeadersSchema } from '../http-tools.js';
import { toolError } from '../tool-result.js';
import { ConnectionProblem } from './call-failure.js';
import type { ConnectionCredentials } from './connection-credentials.js';
import type { SecretValues } from './secret-values.js';

type QueryValue = string | number | boolean;

/**
 * The address of a path below the base of a provider's API, or a whole address as it is; undefined if it is none, or if
 * the path leaves its base. Whose host a whole address has is for the caller to judge.
 */
export function nativeUrl(
  base: string,
  path: string,
  query: Readonly<Record<string, QueryValue | readonly QueryValue[]>> = {},
): URL | undefined {
  const isWhole = /^https?:\/\//i.test(path);
  const folder = `${base.replace(/\/+$/, '')}/`;
  const text = isWhole ? path : `${folder}${path.replace(/^\/+/, '')}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!isWhole && !isBelow(new URL(folder), url)) return undefined;
  url.hash = '';
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) url.searchParams.append(name, String(value));
  }
  return url;
}

/** Dots, in whatever spelling, are gone from the path of a parsed address. */
function isBelow(folder: URL, url: URL): boolean {
  return url.origin === folder.origin && url.pathname.startsWith(folder.pathname);
}

const value = z.union([z.string(), z.number(), z.boolean()]);

const parameters = z.object({
  method: methodSchema,
  path: z.string().min(1).max(8_192).describe('Such as /user/repos; or a whole address of the provider.'),
  query: z.record(z.string(), z.union([value, z.array(value)])).optional(),
  headers: openHeadersSchema.default({}),
  body: bodySchema.optional(),
});

export const nativeToolName = 'http_request';

export interface NativeToolParts {
  readonly credentials: ConnectionCredentials;
  readonly egress: Egress;
  readonly secrets: SecretValues;
}

/** HTTP to the API of a provider, with what the connection authenticates with, and to no other host. */
export function nativeTool(name: string, parts: NativeToolParts): Tool {
  const { name: title, server_url: base } = parts.credentials.connection;
  return defineTool({
    name,
    description: `Makes an HTTP request to the API of "${title}" (${base}), authorised as the connection is, and gives status, headers and body of the answer.`,
    parameters,
    repeatable: ({ method }) => isSafe(method),
    execute: (call, { signal }) => request(call, parts, signal),
  });
}

async function request(
  { path, query, ...call }: z.output<typeof parameters>,
  { credentials, egress, secrets }: NativeToolParts,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const url = nativeUrl(credentials.connection.server_url, path, query);
  if (!url || !mayCall(credentials, url))
    return toolError('path: is none of the provider of the connection.');
  try {
    const result = await exchange(
      { ...call, url: url.href },
      {
        signal,
        mayFollow: (target) => mayCall(credentials, target),
        send: (outgoing) =>
          credentials.send(new URL(outgoing.url), (headers) =>
            egress.request({ ...outgoing, headers: withOurs(outgoing.headers, headers) }),
          ),
      },
    );
    return { kind: 'result', result: secrets.hideWithin(result) };
  } catch (error) {
    signal.throwIfAborted();
    return outcomeOf(error, isSafe(call.method));
  }
}

/** A connection that cannot be used now, or a host that cannot be reached: the provider has not heard of the call. */
function outcomeOf(error: unknown, isRepeatable: boolean): ToolOutcome {
  const hadNoEffect = true;
  if (error instanceof ConnectionProblem) {
    if (error.passing) throw new TransientToolError(error.message, { hadNoEffect });
    return toolError(error.message);
  }
  if (error instanceof AppError)
    throw new TransientToolError('A part of the service is away for a moment.', { hadNoEffect });
  if (!(error instanceof EgressError)) throw error;
  if (error.kind === 'connect') throw new TransientToolError(error.message, { hadNoEffect });
  if (isRepeatable && error.kind === 'reset') throw new TransientToolError(error.message);
  return toolError(error.message);
}

/** Credentials go only to hosts of the provider, and never from https to http. */
function mayCall(credentials: ConnectionCredentials, url: URL): boolean {
  const { server_url: base }: Pick<OpenConnection, 'server_url'> = credentials.connection;
  return credentials.covers(url) && (url.protocol === 'https:' || url.origin === new URL(base).origin);
}

/** Whatever the model has named is sent as the connection says, in whatever letters. */
function withOurs(
  given: Readonly<Record<string, string>>,
  ours: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = Object.keys(ours).map((name) => name.toLowerCase());
  const kept = Object.entries(given).filter(([name]) => !names.includes(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...ours };
}
