import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trace, type Tracer } from '@opentelemetry/api';
import { recordingLogger } from '../../test/log-lines.js';
import { baseConfigSchema } from '../config/base-config.js';
import { loadConfig } from '../config/load-config.js';
import { currentContext } from '../logging/request-context.js';
import { Metrics } from '../metrics/metrics.js';
import { Shutdown } from '../process/shutdown.js';
import { startTracing } from './start-tracing.js';
import { newTraceparent } from '../tracing/traceparent.js';
import { recordedTraceparent, Tracing } from './tracing.js';

const needed = {
  DATABASE_URL: 'postgres://user:password@127.0.0.1/db',
  REDIS_URL: 'redis://:password@127.0.0.1',
  SECRETS_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
};

const configOf = (env: Record<string, string>) => loadConfig(baseConfigSchema, { ...needed, ...env }, 'runs');

/** A collector that notes what it is sent, and answers with a status. */
async function startCollector(status = 200) {
  const received: { url: string | undefined; headers: NodeJS.Dict<string | string[]>; text: string }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      received.push({ url: request.url, headers: request.headers, text });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

async function startedWith(env: Record<string, string>) {
  const log = recordingLogger();
  const metrics = new Metrics('runs');
  const shutdown = new Shutdown(log.logger, 5_000);
  const tracing = await startTracing('runs', configOf(env), { logger: log.logger, metrics, shutdown });
  return { tracing, log, metrics, shutdown };
}

describe('Tracing', () => {
  it.each([
    ['nothing is set', {}],
    ['it is disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }],
    [
      'no exporter is wanted',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_EXPORTER: 'none' },
    ],
  ])('makes no span where %s', async (_where, env) => {
    const { tracing } = await startedWith(env);
    expect(tracing).toBe(Tracing.off);
    expect(tracing.enabled).toBe(false);
    const traceparent = newTraceparent();
    const seen = await tracing.within({ requestId: 'r', traceparent }, { name: 'work' }, async () =>
      tracing.part({ name: 'part' }, async () => ({
        context: currentContext(),
        kept: recordedTraceparent(),
      })),
    );
    // Logs and other services are still told the trace; nothing keeps it.
    expect(seen.context?.traceparent.slice(0, 36)).toBe(traceparent.slice(0, 36));
    expect(seen.kept).toBeUndefined();
    expect(
      tracing.openMessages(
        [{ traceparent }],
        (one) => one.traceparent,
        () => ({ name: 'm' }),
      ).size,
    ).toBe(0);
  });

  it('asks no tracer for what belongs to no request', async () => {
    const asked: string[] = [];
    const real = trace.getTracer('none');
    const tracer: Tracer = {
      startSpan: (name, ...rest) => {
        asked.push(name);
        return real.startSpan(name, ...rest);
      },
      startActiveSpan: () => {
        throw new Error('The context is ours');
      },
    };
    const tracing = new Tracing(tracer);
    await tracing.part({ name: 'of a loop' }, async () => undefined);
    await tracing.within({ requestId: 'r' }, { name: 'job' }, () =>
      tracing.part({ name: 'call' }, async () => undefined),
    );
    expect(asked).toEqual(['job', 'call']);
  });

  it.each([
    ['http/protobuf', 'application/x-protobuf'],
    ['http/json', 'application/json'],
  ])('sends spans as %s with the headers that were set, at the latest at the end', async (protocol, type) => {
    const collector = await startCollector();
    const { tracing, shutdown } = await startedWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20b',
    });
    const kept = await tracing.within({ requestId: 'r' }, { name: 'work' }, async () =>
      recordedTraceparent(),
    );
    expect(kept).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    await shutdown.run('test');
    expect(collector.received).toEqual([
      {
        url: '/v1/traces',
        text: expect.stringContaining('work') as string,
        headers: expect.objectContaining({ 'content-type': type, 'x-api-key': 'a b' }) as object,
      },
    ]);
    await collector.close();
  });

  it('keeps nothing of a trace that is not sampled', async () => {
    const collector = await startCollector();
    const { tracing, shutdown } = await startedWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    const kept = await tracing.within({ requestId: 'r' }, { name: 'work' }, async () =>
      recordedTraceparent(),
    );
    expect(kept).toBeUndefined();
    // Whose caller has decided otherwise is recorded.
    const followed = await tracing.within(
      { requestId: 'r', traceparent: newTraceparent() },
      { name: 'work' },
      async () => recordedTraceparent(),
    );
    expect(followed).toBeDefined();
    await shutdown.run('test');
    expect(collector.received).toHaveLength(1);
    await collector.close();
  });

  it('counts what a collector does not take, and says so once', async () => {
    const collector = await startCollector(400);
    const { tracing, shutdown, metrics, log } = await startedWith({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own`,
    });
    await tracing.within({ requestId: 'r' }, { name: 'work' }, async () => undefined);
    expect(await shutdown.run('test')).toMatchObject({ clean: true });
    expect(collector.received[0]?.url).toBe('/own');
    expect(await metrics.text()).toContain('aos_trace_spans_lost_total{service="runs"} 1');
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    await collector.close();
  });

  it('tells the kind of an error, never its text', async () => {
    const collector = await startCollector();
    const { tracing, shutdown } = await startedWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    });
    const failing = tracing.within({ requestId: 'r' }, { name: 'work' }, async () => {
      throw new TypeError('a secret');
    });
    await expect(failing).rejects.toThrow('a secret');
    await shutdown.run('test');
    const [{ text } = { text: '' }] = collector.received;
    expect(text).toContain('"TypeError"');
    expect(text).not.toContain('secret');
    await collector.close();
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be one of http/protobuf, http/json'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be a URL'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'must be one of always_on'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'must be a number from 0 to 1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no pair', 'must be name=value pairs'],
  ])('refuses %s=%s', (name, value, reason) => {
    expect(() => configOf({ [name]: value })).toThrow(`${name}: ${reason}`);
  });
});
