const earliest = 0;
const latest = Date.parse('9999-12-31T23:59:59.999Z');
const finerThanMs = /\.\d{3}\d*[1-9]/;

/**
 * Runs have milliseconds: at or after, and before, a finer moment mean the next millisecond. Kept within what
 * Postgres can read; there are no runs outside.
 */
export function momentOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text) + (finerThanMs.test(text) ? 1 : 0);
  return new Date(Math.min(Math.max(ms, earliest), latest));
}
