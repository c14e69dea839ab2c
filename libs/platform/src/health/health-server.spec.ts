import { Agent, request } from 'node:http';
import { recordingLogger } from '../../test/log-lines.js';
import { Metrics } from '../metrics/metrics.js';
import { HealthRegistry } from './health-registry.js';
import { HealthServer } from './health-server.js';

describe('HealthServer', () => {
  const log = recordingLogger();
  const metrics = new Metrics('runs');
  let health: HealthRegistry;
  let server: HealthServer;
  let base: string;

  beforeEach(async () => {
    health = new HealthRegistry(log.logger, { cacheMs: 0 });
    server = new HealthServer(health, metrics, log.logger);
    base = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  });

  afterEach(() => server.close());

  it('answers liveness', async () => {
    const response = await fetch(`${base}/healthz`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ ok: true });
  });

  it('answers readiness with 200 or 503', async () => {
    let up = false;
    health.add('database', () => {
      if (!up) throw new Error('10.1.2.3 is away');
    });
    const before = await fetch(`${base}/readyz?verbose`);
    expect([before.status, await before.json()]).toEqual([
      503,
      { ok: false, checks: { database: 'starting' } },
    ]);
    up = true;
    const after = await fetch(`${base}/readyz`);
    expect([after.status, await after.json()]).toEqual([200, { ok: true, checks: { database: 'ok' } }]);
  });

  it('shows the metrics', async () => {
    const response = await fetch(`${base}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toContain('nodejs_version_info');
  });

  it.each(['/', '/health', '/healthz/', '/__proto__', '/constructor'])('has nothing at %s', async (path) => {
    expect((await fetch(base + path)).status).toBe(404);
  });

  it.each(['POST', 'PUT', 'DELETE', 'HEAD'])('refuses %s', async (method) => {
    const response = await fetch(`${base}/readyz`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET');
  });

  it('says no more than 500 when a metric cannot be read', async () => {
    const broken = new Metrics('runs');
    broken.gauge({
      name: 'depth',
      help: 'Depth.',
      collect: () => {
        throw new Error('redis.internal is away');
      },
    });
    const other = new HealthServer(health, broken, log.logger);
    const port = await other.listen(0, '127.0.0.1');
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([response.status, await response.json()]).toEqual([500, { ok: false }]);
    expect(log.lines.at(-1)).toMatchObject({ level: 'error', err: { message: 'redis.internal is away' } });
    await other.close();
  });

  it('closes although a probe keeps its connection, and may be closed twice', async () => {
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve, reject) => {
      request(`${base}/healthz`, { agent }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end();
    });
    await server.close();
    await expect(fetch(`${base}/healthz`)).rejects.toThrow();
    agent.destroy();
  });

  it('reports a port that is taken', async () => {
    const port = Number(new URL(base).port);
    const second = new HealthServer(health, metrics, log.logger);
    await expect(second.listen(port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
