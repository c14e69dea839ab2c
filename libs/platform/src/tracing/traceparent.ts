import { randomFillSync } from 'node:crypto';
import { TraceFlags, type SpanContext } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

// Far above any header of a known version; keeps hostile ones from costing time.
const maxLength = 256;
const traceIdBytes = 16;
const spanIdBytes = 8;

/** Reads a W3C `traceparent`; undefined for anything the recommendation tells to ignore. */
export function parseTraceparent(header: unknown): SpanContext | undefined {
  if (typeof header !== 'string' || header.length > maxLength) return undefined;
  return parseTraceParent(header) ?? undefined;
}

/** The caller's trace if its header is sound, else a new one: for input that may be missing or hostile. */
export function traceparentFrom(header: unknown): string {
  const trace = parseTraceparent(header);
  return trace ? formatTraceparent(trace) : newTraceparent();
}

/** A new sampled trace. */
export function newTraceparent(): string {
  return `00-${randomHex(traceIdBytes)}-${randomHex(spanIdBytes)}-01`;
}

/** A new span of the same trace; `parent` comes from one of the functions above and is not checked again. */
export function childTraceparent(parent: string): string {
  return `${parent.slice(0, 36)}${randomHex(spanIdBytes)}${parent.slice(52)}`;
}

/** The two ids of a sound `traceparent`, by position: this runs for every log line. */
export function traceIds(traceparent: string): { traceId: string; spanId: string } {
  return { traceId: traceparent.slice(3, 35), spanId: traceparent.slice(36, 52) };
}

/** How a span is named to others. */
export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
}

// Random bytes by the page: a call into OpenSSL for each span costs several times more.
const pool = Buffer.alloc(4096);
let used = pool.length;

function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}
