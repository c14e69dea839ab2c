import { Inject, Module, type DynamicModule, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { BaseConfig } from './config/base-config.js';
import { HealthRegistry } from './health/health-registry.js';
import { HealthServer } from './health/health-server.js';
import { WorkGate } from './health/work-gate.js';
import { createLogger, Logger } from './logging/logger.js';
import { NestLogger } from './logging/nest-logger.js';
import { Metrics } from './metrics/metrics.js';
import { ServiceIdentity } from './process/service-identity.js';
import { Shutdown } from './process/shutdown.js';
import { startTracing } from './spans/start-tracing.js';
import { Tracing } from './spans/tracing.js';
import type { TracingSettings } from './config/tracing-settings.js';

export interface PlatformOptions {
  identity: ServiceIdentity;
  config: Pick<BaseConfig, 'LOG_LEVEL' | 'HEALTH_PORT' | 'HEALTH_HOST' | 'SHUTDOWN_GRACE_MS'> &
    Partial<TracingSettings>;
  /** In place of the one made from the config, for tests. */
  logger?: Logger;
}

const options = Symbol('PlatformOptions');

/**
 * Global: ServiceIdentity, Logger, NestLogger, Metrics, HealthRegistry, WorkGate, Shutdown and Tracing for every module of an app.
 * Serves the health endpoints when HEALTH_PORT is set, and turns readiness off when the shutdown begins.
 */
@Module({})
export class PlatformModule implements OnModuleInit, OnModuleDestroy {
  private server: HealthServer | undefined;

  constructor(
    @Inject(options) private readonly options: PlatformOptions,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly health: HealthRegistry,
    private readonly shutdown: Shutdown,
  ) {}

  static forRoot(platform: PlatformOptions): DynamicModule {
    const { identity, config } = platform;
    const { service } = identity;
    return {
      module: PlatformModule,
      global: true,
      providers: [
        { provide: options, useValue: platform },
        { provide: ServiceIdentity, useValue: identity },
        {
          provide: Logger,
          useFactory: () => platform.logger ?? createLogger({ service, level: config.LOG_LEVEL }),
        },
        NestLogger,
        { provide: Metrics, useFactory: () => new Metrics(service) },
        {
          provide: HealthRegistry,
          inject: [Logger],
          useFactory: (logger: Logger) => new HealthRegistry(logger),
        },
        WorkGate,
        {
          provide: Shutdown,
          inject: [Logger],
          useFactory: (logger: Logger) => new Shutdown(logger, config.SHUTDOWN_GRACE_MS),
        },
        {
          provide: Tracing,
          inject: [Logger, Metrics, Shutdown],
          useFactory: (logger: Logger, metrics: Metrics, shutdown: Shutdown) =>
            startTracing(service, config, { logger, metrics, shutdown }),
        },
      ],
      exports: [ServiceIdentity, Logger, NestLogger, Metrics, HealthRegistry, WorkGate, Shutdown, Tracing],
    };
  }

  async onModuleInit(): Promise<void> {
    this.shutdown.add('stop-intake', 'readiness', () => this.health.setDraining());
    const { HEALTH_PORT: port, HEALTH_HOST: host } = this.options.config;
    if (port === 0) return;
    this.server = new HealthServer(this.health, this.metrics, this.logger);
    await this.server.listen(port, host);
    this.logger.info({ host, port }, 'health endpoints are served');
  }

  async onModuleDestroy(): Promise<void> {
    await this.server?.close();
  }
}
