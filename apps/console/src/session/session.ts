import { ApiError, createClient, type Client } from '@aos/client';
import { basePath } from './base-path';

/** Who is signed in. The key stays in this tab's session storage and goes nowhere but to the service. */
export interface Session {
  readonly client: Client;
  readonly apiKey: string;
  readonly teamId: string;
  readonly teamName: string;
}

const storageName = 'aos-session';
const apiKeyPrefix = 'aos_';
const adminPrefix = 'aos_admin_';

interface Stored {
  readonly apiKey: string;
  readonly teamId: string;
  readonly teamName: string;
}

export class SignInError extends Error {}

/** Finds out whose key it is; refuses in words what no team has. */
export async function signIn(given: string): Promise<Session> {
  const apiKey = given.trim();
  if (apiKey.startsWith(adminPrefix)) {
    throw new SignInError(
      'This is the key of the administrator, which belongs to no team. Use the key of a team.',
    );
  }
  if (!apiKey.startsWith(apiKeyPrefix))
    throw new SignInError('A key begins with aos_. Copy the whole of it.');
  try {
    const { teams } = await createClient({ baseUrl: basePath, apiKey, retries: 1 }).listTeams({});
    const team = teams[0];
    if (!team) throw new SignInError('This key belongs to no team.');
    const stored = { apiKey, teamId: team.id, teamName: team.name };
    sessionStorage.setItem(storageName, JSON.stringify(stored));
    return sessionOf(stored);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      throw new SignInError('This key is unknown, expired or revoked.');
    }
    if (error instanceof ApiError && error.code === 'insufficient_scope') {
      throw new SignInError('This key lacks the scope team:read, which the console needs.');
    }
    throw error;
  }
}

export function storedSession(): Session | undefined {
  const text = sessionStorage.getItem(storageName);
  return text === null ? undefined : sessionOf(JSON.parse(text) as Stored);
}

export function forgetSession(): void {
  sessionStorage.removeItem(storageName);
}

/** The key for a code of the link that `npm start` prints; it works once. */
export async function exchangeCode(code: string): Promise<string> {
  const answer = await fetch(`${basePath}/console/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const body = (await answer.json()) as { api_key?: string; message?: string };
  if (answer.ok && body.api_key) return body.api_key;
  throw new SignInError(`${body.message ?? 'The link did not work.'} Sign in with the key instead.`);
}

function sessionOf(stored: Stored): Session {
  return {
    ...stored,
    client: createClient({ baseUrl: basePath, apiKey: stored.apiKey, teamId: stored.teamId }),
  };
}
