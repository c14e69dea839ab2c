import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Shutdown } from '../process/shutdown.js';
import { Tracing } from './tracing.js';
import { tracesAddress, type TracingSettings } from '../config/tracing-settings.js';

const tellEveryMs = 60_000;

/** The spans of a process, by its settings. The library is loaded only where it has something to do. */
export async function startTracing(
  service: string,
  settings: Partial<TracingSettings>,
  { logger, metrics, shutdown }: { logger: Logger; metrics: Metrics; shutdown: Shutdown },
): Promise<Tracing> {
  const { OTEL_SDK_DISABLED = false, OTEL_TRACES_EXPORTER = 'otlp' } = settings;
  const address = tracesAddress({ ...settings, OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER });
  if (address === undefined) return Tracing.off;
  const lost = metrics.counter({
    name: 'aos_trace_spans_lost_total',
    help: 'Spans that the collector did not take',
  });
  let toldAt = -Infinity;
  const { startOtlpTracer } = await import('./otlp-tracer.js');
  const { tracer, close } = startOtlpTracer({
    service,
    address,
    settings: settings as TracingSettings,
    onLost: (spans, error) => {
      lost.inc(spans);
      if (performance.now() - toldAt < tellEveryMs) return;
      toldAt = performance.now();
      logger.warn({ err: error, spans }, 'exporting spans failed');
    },
  });
  shutdown.add('close', 'traces', close);
  return new Tracing(tracer);
}
