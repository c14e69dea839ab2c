import { allScopes, grantedScopes, type GrantedScope } from '@aos/contracts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** From the Authorization header (client_secret_basic) or the form (client_secret_post). */
export function clientCredentials(
  authorization: string | undefined,
  form: Readonly<Record<string, unknown>>,
): ClientCredentials | undefined {
  if (authorization !== undefined) return basicCredentials(authorization);
  const { client_id: clientId, client_secret: clientSecret } = form;
  return typeof clientId === 'string' && typeof clientSecret === 'string'
    ? { clientId, clientSecret }
    : undefined;
}

function basicCredentials(authorization: string): ClientCredentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const [clientId, ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  try {
    // RFC 6749, 2.3.1: both parts are form-encoded before they are joined.
    return { clientId: decodeURIComponent(clientId!), clientSecret: decodeURIComponent(secret.join(':')) };
  } catch {
    return undefined;
  }
}

/** The scopes of a token: all of the client's, or those asked for; undefined if one is unknown or not the client's. */
export function tokenScopes(held: readonly GrantedScope[], asked: unknown): GrantedScope[] | undefined {
  if (asked === undefined) return [...held];
  if (typeof asked !== 'string') return undefined;
  const wanted = [...new Set(asked.split(' ').filter((scope) => scope !== ''))];
  const known = wanted.filter((scope): scope is GrantedScope =>
    (grantedScopes as readonly string[]).includes(scope),
  );
  if (known.length === 0 || known.length < wanted.length) return undefined;
  const allowed = known.every((scope) => held.includes(scope) || held.includes(allScopes));
  return allowed ? known : undefined;
}
