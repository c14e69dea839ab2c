export { eventually, type EventuallyOptions } from './eventually.js';
export * from './fixture/fixture-contracts.js';
export { fixtureConsumerService, fixtureService } from './fixture/fixture.services.js';
export { loggedEvents, recordSilently } from './infrastructure/logged-events.js';
export { schemaDrift } from './infrastructure/schema-drift.js';
export {
  startEmbedded,
  startStores,
  type EmbeddedServer,
  type EmbeddedStores,
} from './infrastructure/stores.js';
export type { Stores } from './infrastructure/wanted-stores.js';
export { onThePath } from './infrastructure/on-the-path.js';
export { startRedisMonitor, type RedisMonitor } from './infrastructure/redis-monitor.js';
export { pauseProcess, pauseProcessFor } from './faults/pausing.js';
export { startPostgresPair, type PostgresPair } from './faults/postgres-pair.js';
export { shiftedClock } from './faults/shifted-clock.js';
export { makeSmallDisk, smallDisks, type SmallDisk } from './faults/small-disk.js';
export { startTcpProxy, type TcpProxy } from './faults/tcp-proxy.js';
export {
  directions,
  type ConnectionFaults,
  type Direction,
  type ProxiedConnection,
} from './faults/proxied-connection.js';
export { connectRedisUser, type RedisUser } from './infrastructure/redis-user.js';
export { testConfig, testEnvironment } from './infrastructure/test-config.js';
export { ensureProductTemplate } from './infrastructure/product-template.js';
export {
  createProductDatabase,
  createTestDatabase,
  openDatabase,
  testServerUrl,
  waitingSessions,
  type QueryableDatabase,
  type TestDatabase,
} from './infrastructure/test-database.js';
export { startStoresOfRun, stopStoresOfRun } from './jest/stores-of-run.js';
export { seededRandom, type SeededRandom } from './seeded-random.js';
export { productServices, startServiceHere } from './services/built-services.js';
export { appEntry, fixtureEntries } from './services/entries.js';
export { startEventLog, type EventLog } from './services/event-log.js';
export { EventSource, type Frame } from './services/event-source.js';
export { refusalOf } from './services/mcp-refusal.js';
export { startServiceContainer } from './services/service-container.js';
export {
  forkService,
  startServiceProcess,
  type ServiceProcess,
  type StartingProcess,
} from './services/service-process.js';
export { TeamCaller, type ServiceAnswer, type ServiceCall } from './services/team-caller.js';
export { startTestClient, type TestClient } from './services/test-client.js';
export { describeTables, type TablePart } from './suites/describe-tables.js';
export { describeWhere, ofStorm, type Needed } from './suites/describe-where.js';
export {
  startAuthorizationServer,
  type AuthorizationServerOptions,
  type TestAuthorizationServer,
} from './stand-ins/authorization-server.js';
export { callbackRequest, consentInBrowser } from './stand-ins/browser-consent.js';
export { selfSigned, type Certificate } from './stand-ins/self-signed.js';
export { startProtectedMcpServer, type ProtectedMcpServer } from './stand-ins/protected-mcp-server.js';
export {
  startMcpServer,
  type McpRequestSeen,
  type McpServerOptions,
  type TestMcpServer,
  type TestTool,
} from './stand-ins/mcp-server.js';
export { startModelServer, type ModelReply, type ModelServer } from './stand-ins/model-server.js';
export {
  startReceiver,
  type ReceivedDelivery,
  type ReceiverAnswer,
  type ReceiverBehaviour,
  type WebhookReceiver,
} from './stand-ins/webhook-receiver.js';
