const warnLevel = 40;
const levelNames: Record<number, string> = { 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };
// Most lines are below warn; they are told apart without being parsed.
const quietLine = /^\{"level":(?:10|20|30)[,}]/;

/** What the terminal shows of a line in a service's log: warnings and worse, and what is no log record. */
export function terminalLine(source: string, line: string): string | undefined {
  if (line.trim() === '' || quietLine.test(line)) return undefined;
  const record = parseRecord(line);
  if (!record) return `${source}: ${line}`;
  const level = typeof record.level === 'number' ? record.level : warnLevel;
  if (level < warnLevel) return undefined;
  return `${source}: ${levelNames[level] ?? 'WARN'} ${describe(record)}`;
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
