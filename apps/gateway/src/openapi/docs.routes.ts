import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ServiceIdentity } from '@aos/messaging';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { openApiDocument } from './openapi-document.js';

const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

// Without `validatorUrl: null` the page shows the document to a validator on the Internet.
const start = `SwaggerUIBundle({ url: '/v2/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });\n`;

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Agent Operations Service: API reference</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
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
    @Inject(GatewaySettings) private readonly config: GatewayConfig,
  ) {}

  register(server: FastifyInstance): void {
    const document = JSON.stringify(
      openApiDocument(this.identity.table.operations, this.config.PUBLIC_BASE_URL),
    );
    server.get('/v2/openapi.json', async (_request, reply) =>
      reply.header('content-type', 'application/json; charset=utf-8').send(document),
    );
    server.get('/docs', async (_request, reply) =>
      reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', contentSecurityPolicy)
        .send(page),
    );
    server.get('/docs/start.js', async (_request, reply) =>
      reply.header('content-type', 'text/javascript; charset=utf-8').send(start),
    );
    const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
    for (const [name, type] of Object.entries(assets)) {
      server.get(`/docs/${name}`, async (_request, reply) =>
        reply.header('content-type', type).send(createReadStream(join(folder, name))),
      );
    }
  }
}
