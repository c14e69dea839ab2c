import { mayCall, obligationsOf, type AppError, type InternalCall } from '@aos/contracts';
import { HealthRegistry, Logger, Metrics, ServiceIdentity, Shutdown, Tracing, WorkGate } from '@aos/platform';
import type { KeyRing } from '@aos/secrets';
import { ioredisNotice } from '@aos/vendor-internals';
import { Module, type DynamicModule, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Broadcasts } from './broadcasts/broadcasts.js';
import { assertExactlyOne, markedMethods } from './handler-discovery.js';
import { JobMetrics } from './jobs/job-metrics.js';
import { JobQueues } from './jobs/job-queues.js';
import { JobWorkers, type JobProcessor } from './jobs/job-workers.js';
import { processedBy } from './jobs/processes.js';
import { PingController } from './ping.controller.js';
import { RedisConnections, type RedisSettings } from './redis/redis-connections.js';
import type { InProcessServices } from './rpc/in-process-services.js';
import { OperationPipeline } from './rpc/operation-pipeline.js';
import { RpcClient } from './rpc/client/rpc-client.js';
import { RpcServer } from './rpc/server/rpc-server.js';
import { ServiceClient } from './rpc/client/service-client.js';

export interface MessagingOptions {
  readonly identity: ServiceIdentity;
  readonly redis: RedisSettings;
  readonly keyRing: KeyRing;
  /** The services of this process, where there are several. */
  readonly neighbours?: InProcessServices;
  readonly rpcTimeoutMs?: number;
  /** Requests that this process works on at once. */
  readonly maxRequestsInFlight?: number;
  /** The refusal for an error that no handler threw on purpose; undefined for a fault. */
  readonly refusalFor?: (error: unknown) => AppError | undefined;
  /** After how long a job whose worker died is given out again. */
  readonly jobLockMs?: number;
}

/**
 * Requests, broadcasts and jobs of one service over Redis. `OperationPipeline` is its port: a module above it provides it
 * to all.
 */
@Module({})
export class MessagingModule implements OnModuleInit, OnApplicationBootstrap {
  private processors: readonly JobProcessor[] = [];

  constructor(
    private readonly identity: ServiceIdentity,
    private readonly connections: RedisConnections,
    private readonly rpcServer: RpcServer,
    private readonly rpcClient: RpcClient,
    private readonly queues: JobQueues,
    private readonly workers: JobWorkers,
    private readonly jobMetrics: JobMetrics,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly health: HealthRegistry,
    private readonly gate: WorkGate,
    private readonly shutdown: Shutdown,
    private readonly logger: Logger,
  ) {}

  static forRoot(options: MessagingOptions): DynamicModule {
    const { identity, redis, keyRing } = options;
    const { service, table, roles } = identity;
    return {
      module: MessagingModule,
      global: true,
      imports: [DiscoveryModule],
      controllers: [PingController],
      providers: [
        {
          provide: RedisConnections,
          inject: [Logger],
          useFactory: (logger: Logger) =>
            new RedisConnections(redis, (error) => logger.debug({ err: error }, 'a Redis connection failed')),
        },
        {
          provide: RpcServer,
          inject: [RedisConnections, OperationPipeline, WorkGate, Logger, Tracing, Metrics],
          useFactory: (
            connections: RedisConnections,
            pipeline: OperationPipeline,
            gate: WorkGate,
            logger: Logger,
            tracing: Tracing,
            metrics: Metrics,
          ) =>
            new RpcServer({
              gate,
              tracing,
              metrics,
              pipeline,
              service,
              table,
              connections,
              keyRing,
              logger,
              neighbours: options.neighbours,
              answers: roles.answersRequests,
              maxInFlight: options.maxRequestsInFlight,
              maxWaitMs: options.rpcTimeoutMs,
              refusalFor: options.refusalFor,
            }),
        },
        {
          provide: RpcClient,
          inject: [RedisConnections, Logger, Tracing, Metrics],
          useFactory: (connections: RedisConnections, logger: Logger, tracing: Tracing, metrics: Metrics) =>
            new RpcClient({
              tracing,
              metrics,
              connections,
              keyRing,
              role: identity.role,
              neighbours: options.neighbours,
              timeoutMs: options.rpcTimeoutMs,
              onError: (error) => logger.warn({ err: error }, 'malformed RPC reply'),
            }),
        },
        {
          provide: ServiceClient,
          inject: [RpcClient],
          useFactory: (rpc: RpcClient) => new ServiceClient(rpc, declaredCallsOf(identity)),
        },
        {
          provide: Broadcasts,
          inject: [RedisConnections, Logger],
          useFactory: (connections: RedisConnections, logger: Logger) =>
            new Broadcasts(
              connections,
              (error) => logger.debug({ err: error }, 'broadcast failed'),
              options.neighbours?.broadcasts,
            ),
        },
        JobQueues,
        {
          provide: JobWorkers,
          inject: [RedisConnections, WorkGate, Logger, Tracing],
          useFactory: (connections: RedisConnections, gate: WorkGate, logger: Logger, tracing: Tracing) =>
            new JobWorkers({ connections, gate, logger, tracing, lockMs: options.jobLockMs }),
        },
        {
          provide: JobMetrics,
          inject: [JobQueues, Metrics, RedisConnections],
          useFactory: (queues: JobQueues, metrics: Metrics, connections: RedisConnections) =>
            new JobMetrics(queues, metrics, () => connections.jobs.status === 'ready'),
        },
      ],
      exports: [RedisConnections, RpcServer, RpcClient, ServiceClient, Broadcasts, JobQueues],
    };
  }

  onModuleInit(): void {
    if (ioredisNotice) this.logger.warn(ioredisNotice);
    this.health.add('redis', () => this.connections.ping());
    this.shutdown.add('stop-intake', 'work gate', () => this.gate.stop());
    this.shutdown.add('stop-intake', 'requests', () => this.rpcServer.close());
    this.shutdown.add('drain', 'jobs', () => this.workers.close());
    this.shutdown.add('close', 'redis', async () => {
      this.rpcClient.close();
      await this.queues.close();
      this.connections.close();
    });
    this.processors = this.findProcessors();
    this.jobMetrics.watch(this.processors.map(({ job }) => job));
  }

  onApplicationBootstrap(): void {
    void this.rpcClient.connect();
    this.gate.start();
    const { sharesWork, roles } = this.identity;
    if (sharesWork && roles.takesJobs) this.workers.start(this.processors);
  }

  private findProcessors(): readonly JobProcessor[] {
    const { service, table } = this.identity;
    const jobs = markedMethods(this.discovery, this.scanner, processedBy).map(
      ({ mark: job, method }): JobProcessor => ({ job, process: method as JobProcessor['process'] }),
    );
    assertExactlyOne({
      what: `job of ${service}`,
      declared: obligationsOf(service, table).jobs.map(({ name }) => name),
      handled: jobs.map(({ job }) => job.name),
    });
    return jobs;
  }
}

/** A call that its contract does not allow to this role would be refused by Redis once it is installed with accounts. */
function declaredCallsOf({ service: own, role, table }: ServiceIdentity) {
  return (call: InternalCall, service: string): void => {
    if (service === own || mayCall(role, call, service, table)) return;
    throw new Error(`${role} is not among the callers of ${call.name}`);
  };
}
