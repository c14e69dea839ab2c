import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ServiceIdentity } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { publicPathOf } from '../http/paths/public-path.js';
import { StaticFile } from '../http/static/static-file.js';
import { openApiDocument } from './openapi-document.js';

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

/** The address of the document, below the public path. */
const documentPath = '/v2/openapi.json';

const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': script,
};

// Without `validatorUrl: null` the page shows the document to a validator on the Internet.
const start = (base: string) =>
  `SwaggerUIBundle({ url: '${base}${documentPath}', dom_id: '#reference', deepLinking: true, validatorUrl: null });\n`;

const page = (base: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Agent Operations Service: API reference</title>
    <link rel="stylesheet" href="${base}/docs/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <script src="${base}/docs/swagger-ui-bundle.js"></script>
    <script src="${base}/docs/start.js"></script>
  </body>
</html>
`;

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The machine-readable description and a page to read it, served from this process alone. */
@Injectable()
export class DocsRoutes {
  constructor(
    private readonly identity: ServiceIdentity,
    @Inject(GatewaySettings) private readonly config: Pick<GatewayConfig, 'PUBLIC_BASE_URL'>,
  ) {}

  register(server: FastifyInstance): void {
    const { PUBLIC_BASE_URL: baseUrl } = this.config;
    const base = publicPathOf(baseUrl);
    const document = JSON.stringify(openApiDocument(this.identity.table.operations, baseUrl));
    const texts = [
      [documentPath, 'application/json; charset=utf-8', document],
      ['/docs', html, page(base)],
      ['/docs/start.js', script, start(base)],
    ] as const;
    for (const [path, type, text] of texts) {
      const file = new StaticFile(type, Buffer.from(text));
      server.get(path, async (request, reply) => send(file, request, reply));
    }
    const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
    for (const [name, type] of Object.entries(assets)) {
      // Read when first asked for: most gateways are never asked.
      let file: StaticFile | undefined;
      server.get(`/docs/${name}`, async (request, reply) => {
        file ??= new StaticFile(type, readFileSync(join(folder, name)));
        return send(file, request, reply);
      });
    }
  }
}

function send(file: StaticFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (file.type === html) reply.header('content-security-policy', contentSecurityPolicy);
  return file.send(request, reply.header('cache-control', 'no-cache'));
}
