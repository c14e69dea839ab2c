import { AppError } from '@aos/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export const maxBodyBytes = 1024 * 1024;
/** Deeper input serves no purpose here, and what walks it may recurse. */
const maxDepth = 100;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Takes JSON bodies; an empty body counts as none, whatever its Content-Type says. */
export function jsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  // Fastify refuses a malformed Content-Type before it looks for a body, and an empty body has no type.
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['content-type'] !== undefined && request.mediaType === undefined) {
      delete request.headers['content-type'];
    }
    done();
  });
  server.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) =>
    bytes.length === 0 ? undefined : parse(request, bytes),
  );
}

function parse(request: FastifyRequest, bytes: Buffer): unknown {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new AppError('unsupported_media_type', 'The body must be application/json.');
  }
  if (encoding.toLowerCase() !== 'identity') {
    throw new AppError('unsupported_media_type', 'The body must not be compressed.');
  }
  return parseJson(bytes);
}

export function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    if (depthExceeds(text, maxDepth))
      throw new AppError('invalid_json', `The body is nested deeper than ${maxDepth} levels.`);
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid_json', 'The body is not valid JSON.');
  }
}

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const opening = new Set(['[', '{'].map((char) => char.charCodeAt(0)));
const closing = new Set([']', '}'].map((char) => char.charCodeAt(0)));

/** Counts brackets outside strings, without building anything. */
export function depthExceeds(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (inString) {
      if (char === backslash) index += 1;
      else if (char === quote) inString = false;
    } else if (char === quote) inString = true;
    else if (opening.has(char)) {
      depth += 1;
      if (depth > limit) return true;
    } else if (closing.has(char)) depth -= 1;
  }
  return false;
}
