import { ping, serviceNames } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { HealthRegistry, ServiceIdentity } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';

const pingTimeoutMs = 1_500;

/** Liveness and readiness. Metrics cover all teams, so they are on HEALTH_PORT, never on the clients' port. */
@Injectable()
export class OperatorRoutes {
  constructor(
    private readonly identity: ServiceIdentity,
    private readonly services: ServiceClient,
    private readonly health: HealthRegistry,
    @Inject(GatewaySettings) private readonly config: Pick<GatewayConfig, 'READY_AFTER_SETUP'>,
  ) {}

  register(server: FastifyInstance): void {
    for (const service of serviceNames) if (service !== this.identity.service) this.expect(service);
    if (this.config.READY_AFTER_SETUP) this.awaitSetup();
    const probe = { config: { isProbe: true } };
    server.get('/healthz', probe, async () => this.health.live());
    server.get('/readyz', probe, async (_request, reply) => {
      const readiness = await this.health.ready();
      return reply.code(readiness.ok ? 200 : 503).send(readiness);
    });
  }

  /** The launcher makes a demo team on the first start; ready means that its key is there to be used. */
  private awaitSetup(): void {
    const release = this.health.hold('setup');
    process.on('message', (message) => {
      if ((message as { type?: unknown } | null)?.type === 'setup-done') release();
    });
  }

  /**
   * Ready means that every service has answered once. Later a service that is away costs its own operations a 503,
   * not the whole gateway its place behind the load balancer.
   */
  private expect(service: string): void {
    let answered = false;
    this.health.add(service, async () => {
      if (answered) return;
      await this.services.call(ping, {}, { service, timeoutMs: pingTimeoutMs });
      answered = true;
    });
  }
}
