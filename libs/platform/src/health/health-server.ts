import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import type { HealthRegistry } from './health-registry.js';

interface Answer {
  status: number;
  contentType: string;
  body: string;
}

/** GET /healthz, /readyz and /metrics on a port of their own, away from clients. */
export class HealthServer {
  private readonly server: Server;

  private readonly routes: ReadonlyMap<string, () => Promise<Answer>>;

  /** Without metrics where there is nothing to count yet; then they are not found. */
  constructor(
    private readonly health: HealthRegistry,
    metrics: Metrics | undefined,
    private readonly logger: Logger,
  ) {
    const routes = new Map([
      ['/healthz', async () => json(200, this.health.live())],
      ['/readyz', () => this.readiness()],
    ]);
    if (metrics) {
      routes.set('/metrics', async () => ({
        status: 200,
        contentType: metrics.contentType,
        body: await metrics.text(),
      }));
    }
    this.routes = routes;
    this.server = createServer({ requestTimeout: 5000, headersTimeout: 5000 }, (request, response) => {
      void this.handle(request, response);
    });
  }

  /** Gives the port that was bound; port 0 takes a free one. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve((this.server.address() as AddressInfo).port);
      });
    });
  }

  /** Ends open connections too: a probe that keeps its connection alive must not hold up the end. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    const { status, contentType, body } = await this.answer(request).catch((err: unknown) => {
      this.logger.error({ err }, 'health request failed');
      return json(500, { ok: false });
    });
    if (status === 405) response.setHeader('allow', 'GET');
    response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body);
  }

  private async answer({ method, url = '/' }: IncomingMessage): Promise<Answer> {
    const route = this.routes.get(url.split('?', 1)[0] ?? '');
    if (!route) return json(404, { ok: false });
    if (method !== 'GET') return json(405, { ok: false });
    return route();
  }

  private async readiness(): Promise<Answer> {
    const readiness = await this.health.ready();
    return json(readiness.ok ? 200 : 503, readiness);
  }
}

function json(status: number, body: object): Answer {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}
