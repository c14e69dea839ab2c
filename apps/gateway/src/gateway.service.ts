import { maxLinkTokenLength, type ContractTable } from '@aos/contracts';
import { RpcServer } from '@aos/messaging';
import { createLogger, Logger, NestLogger, Shutdown } from '@aos/platform';
import {
  prepareTables,
  ServiceModule,
  type RunningService,
  type ServiceDefinition,
  type ServiceSurroundings,
} from '@aos/service';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleRoutes } from './console/console.routes.js';
import { gatewayConfigSchema, type GatewayConfig } from './gateway.config.js';
import { GatewayModule } from './gateway.module.js';
import { closeWithShutdown } from './http/close-with-shutdown.js';
import { allowOtherOrigins } from './http/cross-origin.js';
import { dropUnreadBodies } from './http/unread-bodies.js';
import { answerErrors, sendError, toAppError } from './http/error-answers.js';
import { GatewayAdapter } from './http/gateway-adapter.js';
import { jsonBodies, maxBodyBytes } from './http/json-body.js';
import { RequestRecords } from './http/request-records.js';
import { OperationRoutes } from './routes/operation-routes.js';
import { OperatorRoutes } from './routes/operator-routes.js';
import { requestId } from './http/request-id.js';
import { answerUnreadable } from './http/unreadable-requests.js';
import { identityModel } from './identity/identity.module.js';
import { OAuthRoutes } from './auth/oauth/oauth.routes.js';
import { DocsRoutes } from './openapi/docs.routes.js';
import { KnownPaths } from './http/paths/known-paths.js';
import { answerOtherMethods } from './http/paths/other-methods.js';
import { publicPathOf, withoutPublicPath } from './http/paths/public-path.js';

/** For the whole request: 100 MiB take their time. Headers have a minute. */
const requestTimeoutMs = 600_000;

/** The gateway as a service like the others; a test may give it a larger contract table. */
export function gatewayService(table?: ContractTable): ServiceDefinition<GatewayConfig> {
  return {
    name: 'gateway',
    configSchema: gatewayConfigSchema,
    model: identityModel,
    modules: (config) => [GatewayModule.forRoot(config)],
    table,
  };
}

/** Starts the gateway in this process: HTTP in front, and its own operations over RPC as any service has. */
export async function startGateway(
  definition: ServiceDefinition<GatewayConfig>,
  config: GatewayConfig,
  around: ServiceSurroundings = {},
): Promise<RunningService & { readonly port: number }> {
  if (!around.isPrepared) await prepareTables(definition, config);
  const publicPath = publicPathOf(config.PUBLIC_BASE_URL);
  const adapter = new GatewayAdapter({
    bodyLimit: maxBodyBytes,
    trustProxy: config.TRUST_PROXY,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    // A request that came over an open connection as the server closed is answered as any other.
    return503OnClosing: false,
    // `KnownPaths` gives HEAD to what has GET; Fastify's own would read every file and stream to its end.
    exposeHeadRoutes: false,
    ...(publicPath === '' ? {} : { rewriteUrl: ({ url = '/' }) => withoutPublicPath(url, publicPath) }),
    routerOptions: { maxParamLength: maxLinkTokenLength },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      reply.header('x-request-id', request.id);
      void sendError(
        reply,
        toAppError(error, request, createLogger({ service: definition.name, level: config.LOG_LEVEL })),
      );
    },
    clientErrorHandler: answerUnreadable,
    genReqId: (request: { headers: Record<string, string | string[] | undefined> }) =>
      requestId(request.headers['x-request-id']),
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    ServiceModule.forRoot(definition, config, around),
    adapter,
    {
      bodyParser: false,
      bufferLogs: true,
      abortOnError: false,
    },
  );
  app.useLogger(app.get(NestLogger));
  app.connectMicroservice<MicroserviceOptions>({ strategy: app.get(RpcServer) });
  registerRoutes(app, config);
  const shutdown = app.get(Shutdown);
  const server = adapter.getInstance();
  closeWithShutdown(server, shutdown, config.SHUTDOWN_DELAY_MS);
  dropUnreadBodies(server);
  await app.startAllMicroservices();
  await app.listen(config.PORT, config.HOST);
  const address = server.server.address();
  return {
    app,
    shutdown,
    port: typeof address === 'object' && address !== null ? address.port : config.PORT,
    close: async () => {
      await shutdown.run('closed');
      await app.close();
    },
  };
}

function registerRoutes(app: NestFastifyApplication, config: GatewayConfig): void {
  const server = app.getHttpAdapter().getInstance();
  const paths = new KnownPaths();
  paths.observe(server);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  });
  allowOtherOrigins(server, paths, config);
  app.get(RequestRecords).register(server);
  jsonBodies(server);
  answerErrors(server, app.get(Logger));
  app.get(OperationRoutes).register(server);
  // Behind the hook that keeps the host of documents to itself.
  answerOtherMethods(server, paths);
  app.get(OperatorRoutes).register(server);
  app.get(OAuthRoutes).register(server);
  app.get(DocsRoutes).register(server);
  app.get(ConsoleRoutes).register(server);
}
