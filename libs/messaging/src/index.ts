export { provisionRedis } from './access/provision-redis.js';
export { redisRules } from './access/redis-rules.js';
export { Broadcasts } from './broadcasts/broadcasts.js';
export { assertExactlyOne, markedMethods } from './handler-discovery.js';
export { JobQueues, type JobToAdd } from './jobs/job-queues.js';
export { Processes, type JobRun } from './jobs/processes.js';
export { MessagingModule, type MessagingOptions } from './messaging.module.js';
export {
  assertPipeline,
  eventStream,
  keysUnder,
  RedisConnections,
  type RedisSettings,
  type SentinelSettings,
} from './redis/redis-connections.js';
export { isRedisRefusal, pingRedis } from './redis/ping-redis.js';
export { StreamReader } from './redis/stream-reader.js';
export { Handles, HandlesInternal, type CommitStep } from './rpc/handles.js';
export { InProcessServices, type Neighbour } from './rpc/in-process-services.js';
export { OperationPipeline } from './rpc/operation-pipeline.js';
export { RpcClient } from './rpc/client/rpc-client.js';
export { RpcServer } from './rpc/server/rpc-server.js';
export { ServiceClient } from './rpc/client/service-client.js';
