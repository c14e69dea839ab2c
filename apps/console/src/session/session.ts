import { createClient, type Client, type GrantedScope } from '@aos/client';
import { basePath } from './base-path';

/** The session. Its credential is an HttpOnly cookie. */
export interface Session {
  readonly client: Client;
  readonly teamId: string;
  readonly teamName: string;
  /** The API key that signed in, under whose id the service keeps what is done here. */
  readonly credentialId: string;
  readonly scopes: readonly GrantedScope[];
}

interface SessionView {
  readonly team: { readonly id: string; readonly name: string };
  readonly api_key: { readonly id: string };
  readonly scopes: readonly GrantedScope[];
}

const apiKeyPrefix = 'aos_';
const adminPrefix = 'aos_admin_';

/** Why nobody is signed in, in words. */
export class SignInError extends Error {}

/** Exchanges a key for a session; refuses in words what no team has. */
export async function signIn(given: string): Promise<Session> {
  const apiKey = given.trim();
  if (apiKey.startsWith(adminPrefix)) {
    throw new SignInError(
      'This is the key of the administrator, which belongs to no team. Use the key of a team.',
    );
  }
  if (!apiKey.startsWith(apiKeyPrefix)) {
    throw new SignInError('A key begins with aos_. Copy the whole of it.');
  }
  return sessionOf(await ask<SessionView>('POST', '/auth/sign-in', { api_key: apiKey }));
}

/** A session for a code of the link that `npm start` prints; it works once. */
export async function exchangeCode(code: string): Promise<Session> {
  try {
    return sessionOf(await ask<SessionView>('POST', '/console/sign-in', { code }));
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    throw new SignInError(`${error.message} Sign in with the key instead.`);
  }
}

/** The session of this browser, which any of its tabs may have opened. Throws a SignInError for one that has ended. */
export async function presentSession(): Promise<Session | undefined> {
  const view = await ask<SessionView | undefined>('GET', '/auth/session');
  return view && sessionOf(view);
}

export async function signOut(): Promise<void> {
  await ask('POST', '/auth/sign-out');
}

async function ask<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const response = await ownFetch(basePath + path, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as Answer;
  // Nobody can mend here what the service lacks: it is tried again.
  if (response.status >= 500) throw new Error(`The service answered ${response.status}`);
  throw new SignInError((JSON.parse(text) as { message: string }).message);
}

/** The mark without which the service takes no request with a cookie that changes something. */
const ownFetch: typeof fetch = (target, init) => {
  const headers = new Headers(init?.headers);
  headers.set('x-aos-request', '1');
  return fetch(target, { ...init, headers, credentials: 'same-origin' });
};

function sessionOf({ team, api_key: { id }, scopes }: SessionView): Session {
  return {
    client: createClient({ baseUrl: basePath, teamId: team.id, fetch: ownFetch }),
    teamId: team.id,
    teamName: team.name,
    credentialId: id,
    scopes,
  };
}
