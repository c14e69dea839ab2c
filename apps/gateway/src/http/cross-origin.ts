import type { FastifyInstance } from 'fastify';
import type { KnownPaths } from './paths/known-paths.js';
import { pathOf } from './paths/public-path.js';
import { addVary } from './vary.js';

/** API paths only; console pages never allow other origins. */
const paths = ['/v2/', '/oauth/', '/.well-known/'];

/** How long a browser may remember what it may send, so that a changed setting counts soon. */
const maxAgeSeconds = 600;

export interface CrossOriginSettings {
  readonly PUBLIC_BASE_URL: string;
  readonly CORS_ALLOWED_ORIGINS: readonly string[];
}

/**
 * Allows web pages of the named origins to call the API with a bearer credential (CORS). A cookie never counts in a
 * request of theirs: it is dropped here, and a browser is not told that it may send one.
 */
export function allowOtherOrigins(
  server: FastifyInstance,
  known: KnownPaths,
  { PUBLIC_BASE_URL: baseUrl, CORS_ALLOWED_ORIGINS: origins }: CrossOriginSettings,
): void {
  const own = new URL(baseUrl).origin;
  const allowed = new Set(origins.filter((origin) => origin !== own));
  if (allowed.size === 0) return;
  server.addHook('onRequest', async ({ headers, method, url }, reply) => {
    if (!paths.some((path) => url.startsWith(path))) return;
    addVary(reply, 'origin');
    const { origin } = headers;
    if (origin === undefined || !allowed.has(origin)) return;
    delete headers.cookie;
    reply.header('access-control-allow-origin', origin);
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
      reply.header('access-control-expose-headers', '*');
      return;
    }
    // `*` means every header but Authorization, which must be named.
    reply
      .header('access-control-allow-headers', 'authorization, *')
      .header('access-control-allow-methods', known.methodsOf(pathOf(url)).join(', '))
      .header('access-control-max-age', maxAgeSeconds);
  });
}
