import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Tracer } from '@opentelemetry/api';
import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '../config/tracing-settings.js';

export interface OtlpTracer {
  readonly tracer: Tracer;
  /** Sends what is left. A collector that is away holds up the end of the process only for a moment. */
  close(): Promise<void>;
}

export interface OtlpTracerOptions {
  readonly service: string;
  readonly address: string;
  readonly settings: TracingSettings;
  /** Called with how many spans were lost because the collector did not take them. */
  readonly onLost: (spans: number, error: Error | undefined) => void;
}

type ExporterOptions = NonNullable<ConstructorParameters<typeof JsonExporter>[0]>;

const closeWithinMs = 2_000;
/** Ids and names are shorter; what is not is cut. */
const maxValueLength = 256;

/** Makes spans and sends them to a collector, gathered. */
export function startOtlpTracer({ service, address, settings, onLost }: OtlpTracerOptions): OtlpTracer {
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    spanLimits: { attributeValueLengthLimit: maxValueLength },
    resource: resourceFromAttributes({
      'service.instance.id': `${hostname()}-${process.pid}`,
      ...settings.OTEL_RESOURCE_ATTRIBUTES,
      'service.name': settings.OTEL_SERVICE_NAME ?? service,
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new WatchedExporter(exporterTo(address, settings), onLost),
        scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
        exportTimeoutMillis: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
      }),
    ],
  });
  return {
    tracer: provider.getTracer('aos'),
    close: async () => {
      const waiting = new AbortController();
      const { signal } = waiting;
      await Promise.race([
        // What it does not take is told already.
        provider.shutdown().catch(() => undefined),
        delay(closeWithinMs, undefined, { signal }).catch(() => undefined),
      ]);
      waiting.abort();
    },
  };
}

function exporterTo(url: string, settings: TracingSettings): SpanExporter {
  const options = {
    url,
    headers: { ...settings.OTEL_EXPORTER_OTLP_HEADERS },
    timeoutMillis: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
    compression: settings.OTEL_EXPORTER_OTLP_COMPRESSION as ExporterOptions['compression'],
  };
  return settings.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json'
    ? new JsonExporter(options)
    : new ProtobufExporter(options);
}

/** Tells of spans that a collector did not take; nothing else waits for it or fails with it. */
class WatchedExporter implements SpanExporter {
  constructor(
    private readonly exporter: SpanExporter,
    private readonly onLost: (spans: number, error: Error | undefined) => void,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      if (result.code === ExportResultCode.FAILED) this.onLost(spans.length, result.error);
      done(result);
    });
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingSettings): Sampler {
  const kind = name.replace('parentbased_', '');
  const root =
    kind === 'always_on'
      ? new AlwaysOnSampler()
      : kind === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
