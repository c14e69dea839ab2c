/** Tokens as they are kept, sealed. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Seconds; absent where the provider does not tell. */
  readonly expiresIn?: number;
  readonly scope?: string;
  /** The whole answer: some providers tell there where their API is. */
  readonly fields: Readonly<Record<string, unknown>>;
}

type Json = Record<string, unknown>;

/**
 * The answer of a token endpoint as RFC 6749 would have it. Some report errors with status 200 (GitHub, Slack), call the
 * type of a token something else (Slack), or add an id token whose issuer is not theirs (Microsoft); who the person is
 * does not matter here, so id tokens are dropped unread.
 */
export async function normalizedAnswer(response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.includes('json')) return response;
  const body = await readJson(response.clone());
  if (body === undefined) return response;
  const { id_token: _dropped, ...fields } = body;
  const isToken = response.ok && typeof fields['access_token'] === 'string';
  const isHiddenRefusal = response.ok && !isToken && typeof fields['error'] === 'string';
  const shown = isToken ? { ...withPlainNumbers(fields), token_type: tokenType(fields) } : fields;
  return new Response(JSON.stringify(shown), {
    status: isHiddenRefusal ? 400 : response.status,
    headers: { 'content-type': 'application/json' },
  });
}

async function readJson(response: Response): Promise<Json | undefined> {
  try {
    const body = (await response.json()) as unknown;
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** A token that is bound to a key is of no use here; every other is sent as a bearer. */
function tokenType({ token_type: type }: Json): unknown {
  return typeof type === 'string' && type.toLowerCase() === 'dpop' ? type : 'bearer';
}

/** Some write seconds as text. */
function withPlainNumbers(fields: Json): Json {
  const { expires_in: seconds, ...rest } = fields;
  const number = typeof seconds === 'string' ? Number(seconds) : seconds;
  return typeof number === 'number' && Number.isFinite(number) && number > 0
    ? { ...rest, expires_in: Math.floor(number) }
    : rest;
}
