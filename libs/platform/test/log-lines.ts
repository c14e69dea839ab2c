import { createLogger, type Logger, type LogLevel } from '../src/logging/logger.js';

/** A logger that keeps its lines: as text in `raw`, parsed in `lines`. */
export function recordingLogger(level: LogLevel = 'trace') {
  const raw: string[] = [];
  const logger: Logger = createLogger({
    service: 'test',
    level,
    destination: { write: (line) => raw.push(line) },
  });
  return {
    logger,
    raw,
    get lines(): Record<string, unknown>[] {
      return raw.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
  };
}
