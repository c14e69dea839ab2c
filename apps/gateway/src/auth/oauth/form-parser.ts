import type { FastifyInstance } from 'fastify';
import { OAuthError } from './oauth-error.js';

const maxFormBytes = 64 * 1024;

/** Bodies of the OAuth endpoints are forms; RFC 6749, 3.2: an empty parameter is none, one given twice is an error. */
export function formParser(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addHook('onRoute', (route) => {
    route.bodyLimit = maxFormBytes;
  });
  server.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (request: { headers: { 'content-type'?: string } }, text: string) => {
      if (text === '') return {};
      if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) {
        throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.');
      }
      const form = new Map<string, string>();
      for (const [name, value] of new URLSearchParams(text)) {
        if (form.has(name)) throw new OAuthError('invalid_request', 'A parameter is given twice.');
        form.set(name, value);
      }
      return Object.fromEntries([...form].filter(([, value]) => value !== ''));
    },
  );
}
