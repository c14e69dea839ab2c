import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Value = Readonly<Record<string, unknown>>;

interface Attribute {
  readonly key: string;
  readonly value: Value;
}

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly status?: { readonly code?: number };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** A span as it was received. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly service: string;
  readonly name: string;
  readonly kind: string;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface TraceCollector {
  /** For the variables of OpenTelemetry. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Everything that came, as it came. */
  text(): string;
  close(): Promise<void>;
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const failed = 2;

/** A collector of traces: OTLP over HTTP, as JSON. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const isExport = request.method === 'POST' && request.url === '/v1/traces';
      if (isExport) {
        texts.push(text);
        spans.push(...spansOf(JSON.parse(text) as Export));
      }
      response.writeHead(isExport ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    text: () => texts.join('\n'),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans }: Export): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(recordOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || undefined,
        service,
        name: span.name,
        kind: kinds[span.kind] ?? 'unspecified',
        failed: span.status?.code === failed,
        attributes: recordOf(span.attributes),
      })),
    );
  });
}

/** A value is said with its type; numbers of 64 bits are texts. */
function recordOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [[type, plain]] = Object.entries(value) as [[string, unknown]];
      return [key, type === 'intValue' ? Number(plain) : plain];
    }),
  );
}
