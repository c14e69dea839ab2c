import type {
  ConnectionAuthMethod,
  ConnectionHeaders,
  ConnectionStatus,
  ConnectionType,
} from '@aos/contracts';

/** The credentials that a request brings. */
export interface GivenCredentials {
  readonly auth_method?: ConnectionAuthMethod;
  readonly headers?: ConnectionHeaders;
  readonly api_key?: string;
}

export interface Credentials {
  readonly authMethod: ConnectionAuthMethod;
  readonly plaintext: Record<string, string>;
  readonly secret: Record<string, string>;
  /** One that needs a consent is not ready yet. */
  readonly status: Extract<ConnectionStatus, 'pending' | 'active'>;
}

export type Plan = { readonly ok: true; readonly credentials: Credentials } | Refusal;

interface Refusal {
  readonly ok: false;
  /** Names the field. */
  readonly problem: string;
}

/** Which way of authenticating is meant, and whether what it needs is there. */
export function planCredentials(type: ConnectionType, given: GivenCredentials): Plan {
  const authMethod = given.auth_method ?? impliedMethod(type, given);
  const plaintext = given.headers?.plaintext ?? {};
  const secret = given.headers?.secret ?? {};
  const hasHeaders = Object.keys({ ...plaintext, ...secret }).length > 0;
  switch (authMethod) {
    case 'oauth':
      if (given.api_key !== undefined) return refuse('api_key: is not used with auth_method oauth');
      return plan({ authMethod, plaintext, secret, status: 'pending' });
    case 'apikey': {
      if (given.api_key === undefined) return refuse('api_key: is required with auth_method apikey');
      if (hasAuthorization({ ...plaintext, ...secret })) {
        return refuse('headers: Authorization is made from api_key');
      }
      const all = { ...secret, Authorization: `Bearer ${given.api_key}` };
      return plan({ authMethod, plaintext, secret: all, status: 'active' });
    }
    case 'headers':
      if (!hasHeaders) return refuse('headers: at least one is required with auth_method headers');
      if (given.api_key !== undefined) return refuse('api_key: is not used with auth_method headers');
      return plan({ authMethod, plaintext, secret, status: 'active' });
    case 'url':
      if (type === 'native')
        return refuse('auth_method: a native connection has the address of its provider');
      if (hasHeaders) return refuse('headers: are not used with auth_method url');
      if (given.api_key !== undefined) return refuse('api_key: is not used with auth_method url');
      return plan({ authMethod, plaintext: {}, secret: {}, status: 'active' });
    case 'none':
      if (type === 'native') return refuse('auth_method: a native connection needs credentials');
      if (hasHeaders) return refuse('headers: are not used with auth_method none');
      if (given.api_key !== undefined) return refuse('api_key: is not used with auth_method none');
      return plan({ authMethod, plaintext: {}, secret: {}, status: 'active' });
  }
}

function impliedMethod(
  type: ConnectionType,
  { headers, api_key: key }: GivenCredentials,
): ConnectionAuthMethod {
  if (key !== undefined) return 'apikey';
  if (headers !== undefined) return 'headers';
  return type === 'native' ? 'oauth' : 'none';
}

function hasAuthorization(headers: Record<string, string>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

function plan(credentials: Credentials): Plan {
  return { ok: true, credentials };
}

function refuse(problem: string): Refusal {
  return { ok: false, problem };
}
