import { oauthCallback, oauthCallbackOfConnection } from '@aos/contracts';

const maxSteps = 20;

/**
 * Does what a person does: signs in and agrees, in the forms of the authorization server's own pages. Ends where the
 * browser is sent to another origin, which is not called.
 */
export async function consentInBrowser(authorizationUrl: string, origin: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = await visit(authorizationUrl, cookies);
  for (let step = 0; step < maxSteps; step += 1) {
    const location = next.headers.get('location');
    if (location !== null) {
      const url = new URL(location, next.url);
      if (url.origin !== origin) return url;
      next = await visit(url.href, cookies);
      continue;
    }
    const page = await next.text();
    const action = /<form[^>]+action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (action === undefined || prompt === undefined) {
      throw new Error(`The authorization server shows no form (${next.status}): ${page.slice(0, 500)}`);
    }
    const body = new URLSearchParams({ prompt, login: 'ada', password: 'any' });
    next = await visit(new URL(action, next.url).href, cookies, body);
  }
  throw new Error('The authorization server never sends the browser back');
}

async function visit(url: string, cookies: Map<string, string>, body?: URLSearchParams): Promise<Response> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    body,
    redirect: 'manual',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  for (const line of response.headers.getSetCookie()) {
    const [pair] = line.split(';') as [string];
    const at = pair.indexOf('=');
    cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return response;
}

/** The request that a browser makes which was sent back to this service. */
export function callbackRequest(redirected: URL) {
  const query = Object.fromEntries(redirected.searchParams);
  const { pathname } = redirected;
  if (pathname === oauthCallback.path) return { operation: oauthCallback, given: { query } };
  const [base] = oauthCallbackOfConnection.path.split('{') as [string];
  if (!pathname.startsWith(base)) throw new Error(`The browser was sent to ${redirected.href}`);
  const params = { connection_id: pathname.slice(base.length) };
  return { operation: oauthCallbackOfConnection, given: { params, query } };
}
