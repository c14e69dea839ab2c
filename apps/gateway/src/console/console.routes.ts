import { fileURLToPath } from 'node:url';
import { AppError } from '@aos/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { publicPathOf } from '../http/paths/public-path.js';
import { readPageFiles } from './page-files.js';
import { SessionRoutes } from './session.routes.js';
import { SignInRoutes } from './sign-in.routes.js';

/** Path of the built page, from sources and from the build. */
const folder = fileURLToPath(new URL('../../dist/page/', import.meta.url));
/** The address of the page, below the public path. */
const place = '/console';
const entry = 'index.html';
/** The names of the files in this folder say what is in them, so that they never change. */
const assets = 'assets/';
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
    @Inject(GatewaySettings) private readonly config: Pick<GatewayConfig, 'PUBLIC_BASE_URL'>,
  ) {}

  register(server: FastifyInstance): void {
    const publicPath = publicPathOf(this.config.PUBLIC_BASE_URL);
    const files = readPageFiles(folder, { place, publicPath });
    server.get('/', async (_request, reply) => reply.redirect(publicPath + place, 302));
    const page = async (request: FastifyRequest, reply: FastifyReply) => {
      const { '*': wanted = '' } = request.params as { '*'?: string };
      const path = files.has(wanted) || wanted.startsWith(assets) ? wanted : entry;
      const file = files.get(path);
      if (!file) throw new AppError('not_found', 'The path does not exist.');
      return file.send(request, reply.headers(headersOf(path)));
    };
    server.get(place, page);
    server.get(`${place}/*`, page);
    this.sessions.register(server);
    this.signIn.register(server);
  }
}

function headersOf(path: string): Record<string, string> {
  return {
    'cache-control': path.startsWith(assets) ? forever : 'no-cache',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'content-security-policy': path === frame ? framePolicy : policy,
  };
}
