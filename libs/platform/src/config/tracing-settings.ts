import { z } from 'zod';
import { booleanText, milliseconds, urlOf } from './config-schemas.js';

/** What OpenTelemetry calls its samplers. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const protocols = ['http/protobuf', 'http/json'] as const;
const address = urlOf('http', 'https').optional();
const protocol = z.enum(protocols, `must be one of ${protocols.join(', ')}`);

/** `name=value` pairs with commas between them, values percent-encoded, as OpenTelemetry writes lists. */
const pairs = z.string().transform((text, context): Readonly<Record<string, string>> => {
  const entries = text.split(',').flatMap((pair) => (pair.trim() === '' ? [] : [pairOf(pair)]));
  if (entries.every((entry) => entry !== undefined)) return Object.fromEntries(entries);
  context.addIssue({ code: 'custom', message: 'must be name=value pairs with commas between them' });
  return z.NEVER;
});

function pairOf(text: string): [string, string] | undefined {
  const [, name, value] = /^\s*([^\s=]+)\s*=(.*)$/.exec(text) ?? [];
  try {
    return name === undefined ? undefined : [name, decodeURIComponent(value!.trim())];
  } catch {
    return undefined;
  }
}

/** The standard variables for the export of traces. Without an endpoint no span is made. */
export const tracingSettings = {
  OTEL_SDK_DISABLED: booleanText.default(false),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], 'must be otlp or none').default('otlp'),
  /** The collector; `/v1/traces` is added. The second is the address itself. */
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.default('http/protobuf'),
  /** Sent with each export; they may hold a key. */
  OTEL_EXPORTER_OTLP_HEADERS: pairs.default({}),
  OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds.default(10_000),
  OTEL_EXPORTER_OTLP_COMPRESSION: z.enum(['none', 'gzip'], 'must be none or gzip').default('none'),
  /** By default each service has its own name. */
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs.default({}),
  OTEL_TRACES_SAMPLER: z
    .enum(samplerNames, `must be one of ${samplerNames.join(', ')}`)
    .default('parentbased_always_on'),
  /** The share of traces that the samplers with a ratio keep. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1),
  /** How long spans are gathered before they are sent. */
  OTEL_BSP_SCHEDULE_DELAY: milliseconds.default(5_000),
};

export type TracingSettings = z.output<z.ZodObject<typeof tracingSettings>>;

/** Where spans go; undefined where none are to be made. */
export function tracesAddress(
  settings: Pick<
    TracingSettings,
    | 'OTEL_SDK_DISABLED'
    | 'OTEL_TRACES_EXPORTER'
    | 'OTEL_EXPORTER_OTLP_ENDPOINT'
    | 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
  >,
): string | undefined {
  if (settings.OTEL_SDK_DISABLED || settings.OTEL_TRACES_EXPORTER === 'none') return undefined;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = settings;
  return own ?? (collector && `${collector.replace(/\/+$/, '')}/v1/traces`);
}
