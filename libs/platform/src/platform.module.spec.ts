import { createServer, type AddressInfo } from 'node:net';
import { contractTable } from '@aos/contracts';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { recordingLogger } from '../test/log-lines.js';
import {
  HealthRegistry,
  Logger,
  Metrics,
  NestLogger,
  PlatformModule,
  ServiceIdentity,
  Shutdown,
} from './index.js';

const config = {
  LOG_LEVEL: 'info',
  HEALTH_PORT: 0,
  HEALTH_HOST: '127.0.0.1',
  SHUTDOWN_GRACE_MS: 1000,
} as const;

@Injectable()
class Worker {
  constructor(
    readonly logger: Logger,
    readonly metrics: Metrics,
    readonly health: HealthRegistry,
    readonly shutdown: Shutdown,
  ) {}
}

// Does not import PlatformModule: what it needs is global.
@Module({ providers: [Worker] })
class WorkModule {}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function appOf(healthPort: number) {
  const log = recordingLogger();
  const platform = PlatformModule.forRoot({
    identity: new ServiceIdentity('runs', contractTable),
    config: { ...config, HEALTH_PORT: healthPort },
    logger: log.logger,
  });
  @Module({ imports: [platform, WorkModule] })
  class AppModule {}
  return {
    log,
    make: () => NestFactory.createApplicationContext(AppModule, { bufferLogs: true, abortOnError: false }),
  };
}

describe('PlatformModule', () => {
  it('gives every module the same logger, metrics, health and shutdown', async () => {
    const { log, make } = appOf(0);
    const app = await make();
    app.useLogger(app.get(NestLogger));
    const worker = app.get(Worker);
    expect(worker.logger).toBe(log.logger);
    expect(worker.metrics).toBe(app.get(Metrics));
    expect(worker.health).toBe(app.get(HealthRegistry));
    expect(await worker.metrics.text()).toContain('service="runs"');
    expect(log.lines.map((line) => [line.level, line.context])).toContainEqual(['debug', 'InstanceLoader']);
    expect(log.lines.every((line) => line.level === 'debug')).toBe(true);
    await app.close();
  });

  it('is no longer ready once the shutdown begins', async () => {
    const app = await appOf(0).make();
    expect(await app.get(HealthRegistry).ready()).toMatchObject({ ok: true });
    const shutdown = app.get(Shutdown);
    const seen: boolean[] = [];
    shutdown.add('drain', 'look', async () => seen.push((await app.get(HealthRegistry).ready()).ok));
    shutdown.add('close', 'app', () => app.close());
    expect(await shutdown.run('test')).toMatchObject({ clean: true });
    expect(seen).toEqual([false]);
  });

  it('serves the health endpoints on HEALTH_PORT until the app is closed', async () => {
    const port = await freePort();
    const app = await appOf(port).make();
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    await app.close();
    await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow();
  });

  it('does not start on a port that is taken', async () => {
    const port = await freePort();
    const first = await appOf(port).make();
    await expect(appOf(port).make()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.close();
  });
});
