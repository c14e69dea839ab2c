import { register } from 'prom-client';
import { Metrics } from './metrics.js';

describe('Metrics', () => {
  it('counts, observes and shows, each with the service', async () => {
    const metrics = new Metrics('runs');
    metrics.counter({ name: 'jobs_total', help: 'Jobs.', labelNames: ['queue'] }).inc({ queue: 'a' }, 2);
    metrics.histogram({ name: 'job_seconds', help: 'Time.' }).observe(0.003);
    metrics.gauge({ name: 'depth', help: 'Depth.' }).set(7);
    const text = await metrics.text();
    expect(text).toContain('jobs_total{queue="a",service="runs"} 2');
    expect(text).toContain('job_seconds_bucket{le="0.005",service="runs"} 1');
    expect(text).toContain('job_seconds_bucket{le="0.0025",service="runs"} 0');
    expect(text).toContain('depth{service="runs"} 7');
    expect(text).toMatch(/process_cpu_seconds_total\{service="runs"\} /);
    expect(metrics.contentType).toContain('text/plain');
  });

  it('tells of the process in the name of each service that shares it', async () => {
    const texts = await Promise.all(['runs', 'billing'].map((service) => new Metrics(service).text()));
    expect(texts[0]).toMatch(/nodejs_eventloop_lag_p99_seconds\{service="runs"\} /);
    expect(texts[1]).toMatch(/nodejs_eventloop_lag_p99_seconds\{service="billing"\} /);
    expect(texts[1]).not.toContain('service="runs"');
  });

  it('gives the same metric for the same name', async () => {
    const metrics = new Metrics('runs');
    const first = metrics.counter({ name: 'jobs_total', help: 'Jobs.', labelNames: ['a', 'b'] });
    expect(metrics.counter({ name: 'jobs_total', help: 'Jobs.', labelNames: ['b', 'a'] })).toBe(first);
  });

  it('refuses one name for two different metrics', () => {
    const metrics = new Metrics('runs');
    metrics.counter({ name: 'jobs_total', help: 'Jobs.', labelNames: ['a'] });
    expect(() => metrics.gauge({ name: 'jobs_total', help: 'Jobs.', labelNames: ['a'] })).toThrow(
      /exists as counter/,
    );
    expect(() => metrics.counter({ name: 'jobs_total', help: 'Jobs.', labelNames: ['b'] })).toThrow(
      /exists as counter/,
    );
  });

  it('asks a gauge for its value when it is scraped', async () => {
    const metrics = new Metrics('runs');
    let depth = 1;
    metrics.gauge({
      name: 'depth',
      help: 'Depth.',
      labelNames: ['q'],
      collect: (gauge) => gauge.set({ q: 'x' }, depth),
    });
    expect(await metrics.text()).toContain('depth{q="x",service="runs"} 1');
    depth = 2;
    expect(await metrics.text()).toContain('depth{q="x",service="runs"} 2');
  });

  it('asks a costly gauge once for many scrapes, and again after a failure', async () => {
    const metrics = new Metrics('runs');
    let asked = 0;
    metrics.gauge({
      name: 'rows',
      help: 'Rows.',
      maxAgeMs: 60_000,
      collect: (gauge) => {
        asked += 1;
        if (asked === 1) throw new Error('away');
        gauge.set(asked);
      },
    });
    await expect(metrics.text()).rejects.toThrow('away');
    const texts = await Promise.all(Array.from({ length: 20 }, () => metrics.text()));
    expect(asked).toBe(2);
    for (const text of [...texts, await metrics.text()]) expect(text).toContain('rows{service="runs"} 2');
    expect(asked).toBe(2);
  });

  it('takes buckets of its own', async () => {
    const metrics = new Metrics('runs');
    metrics.histogram({ name: 'size_bytes', help: 'Size.', buckets: [10, 20] }).observe(15);
    expect(await metrics.text()).toContain('size_bytes_bucket{le="20",service="runs"} 1');
  });

  it('leaves the global registry alone and can exist twice', async () => {
    new Metrics('a').counter({ name: 'jobs_total', help: 'Jobs.' });
    new Metrics('b').counter({ name: 'jobs_total', help: 'Jobs.' });
    expect(await register.metrics()).toBe('\n');
  });
});
