import { randomFillSync } from 'node:crypto';

// version "00": exactly 55 characters; later versions may append fields behind another dash.
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const length = 55;
// Far above any header of a known version; keeps hostile ones from costing time.
const maxLength = 256;
const noTrace = '0'.repeat(32);
const noSpan = '0'.repeat(16);
const traceIdBytes = 16;
const spanIdBytes = 8;

export interface TraceContext {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

/** Reads a W3C `traceparent`; undefined for anything the recommendation tells to ignore. */
export function parseTraceparent(header: unknown): TraceContext | undefined {
  if (typeof header !== 'string' || header.length < length || header.length > maxLength) return undefined;
  const [, version, traceId, spanId, flags, rest] = pattern.exec(header) ?? [];
  if (!version || !traceId || !spanId || !flags || version === 'ff') return undefined;
  if (version === '00' && rest !== undefined) return undefined;
  if (traceId === noTrace || spanId === noSpan) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
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

function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
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
