// Loggers write their levels as words or as the numbers of pino.
const shownLevels: Record<string, string> = {
  warn: 'WARN',
  error: 'ERROR',
  fatal: 'FATAL',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};
// Most lines are below warn; they are told apart without being parsed.
const quietLine = /^\{"level":(?:10|20|30|"trace"|"debug"|"info")[,}]/;

/** What the terminal shows of a line in a service's log: warnings and worse, and what is no log record. */
export function terminalLine(source: string, line: string): string | undefined {
  if (line.trim() === '' || quietLine.test(line)) return undefined;
  const record = parseRecord(line);
  if (!record) return `${source}: ${line}`;
  const level = shownLevels[String(record.level)];
  return level && `${source}: ${level} ${describe(record)}`;
}

function parseRecord(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function describe(record: Record<string, unknown>): string {
  const message = typeof record.msg === 'string' ? record.msg : '';
  const error = record.err;
  const detail =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
  return [message, detail === message ? '' : detail].filter((part) => part !== '').join(': ');
}
