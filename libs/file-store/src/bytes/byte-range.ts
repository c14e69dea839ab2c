/** `full`: answer with the whole file. Both ends of a range are inclusive and lie within the file. */
export type RequestedRange = 'full' | 'unsatisfiable' | { readonly start: number; readonly end: number };

const unitPattern = /^bytes=(.*)$/is;
const specPattern = /^(\d*)-(\d*)$/;

/**
 * Reads a `Range` header by RFC 9110. What is not a single range of bytes is ignored, which the RFC allows: several
 * ranges, other units, bad syntax.
 */
export function parseRange(header: string | undefined, sizeBytes: number): RequestedRange {
  const set = unitPattern.exec(header?.trim() ?? '')?.[1];
  const specs = (set ?? '').split(',').flatMap((text) => text.trim() || []);
  const [, first = '', last = ''] = specPattern.exec(specs.length === 1 ? specs[0]! : '') ?? [];
  if (first === '' && last === '') return 'full';
  return first === '' ? lastBytes(Number(last), sizeBytes) : between(Number(first), last, sizeBytes);
}

function lastBytes(count: number, sizeBytes: number): RequestedRange {
  if (count === 0) return 'unsatisfiable';
  if (sizeBytes === 0) return 'full';
  return { start: Math.max(0, sizeBytes - count), end: sizeBytes - 1 };
}

function between(start: number, last: string, sizeBytes: number): RequestedRange {
  const end = last === '' ? Infinity : Number(last);
  if (end < start) return 'full';
  if (start >= sizeBytes) return 'unsatisfiable';
  return { start, end: Math.min(end, sizeBytes - 1) };
}
