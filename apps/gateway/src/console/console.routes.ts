import { fileURLToPath } from 'node:url';
import { AppError } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readPageFiles, type PageFile } from './page-files.js';
import { SessionRoutes } from './session.routes.js';
import { SignInRoutes } from './sign-in.routes.js';

/** Where the build puts the page, seen from the sources and from what is built of them. */
const folder = fileURLToPath(new URL('../../dist/page/', import.meta.url));
const entry = 'index.html';
/** In it lies what a model has written: it may show it and do nothing else, and only the console may hold it. */
const frame = 'frame.html';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const framePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ');

const forever = 'public, max-age=31536000, immutable';

/** The console: static files, and the same page for each of its addresses. */
@Injectable()
export class ConsoleRoutes {
  constructor(
    private readonly sessions: SessionRoutes,
    private readonly signIn: SignInRoutes,
  ) {}

  register(server: FastifyInstance): void {
    const files = readPageFiles(folder);
    server.get('/', async (_request, reply) => reply.redirect('/console', 302));
    const page = async (request: FastifyRequest, reply: FastifyReply) => {
      const { '*': path = '' } = request.params as { '*'?: string };
      const file = files.get(path) ?? (path.startsWith('assets/') ? undefined : files.get(entry));
      if (!file) throw new AppError('not_found', 'There is no such path.');
      return send(file, request, reply);
    };
    server.get('/console', page);
    server.get('/console/*', page);
    this.sessions.register(server);
    this.signIn.register(server);
  }
}

function send(file: PageFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply
    .header('cache-control', file.isForever ? forever : 'no-cache')
    .header('etag', file.etag)
    .header('vary', 'accept-encoding')
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('content-security-policy', file.path === frame ? framePolicy : policy);
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  reply.header('content-type', file.type);
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  const compressed = takesGzip ? file.gzip : undefined;
  return compressed ? reply.header('content-encoding', 'gzip').send(compressed) : reply.send(file.bytes);
}
