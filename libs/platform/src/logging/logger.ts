import { pino, type Logger as PinoLogger } from 'pino';
import { isoTime } from '../time/iso-time.js';
import { traceIds } from '../tracing/traceparent.js';
import { LineWriter } from './line-writer.js';
import { redactFields } from './redaction.js';
import { currentContext } from './request-context.js';
import { scrub } from './scrub.js';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogMethod {
  (fields: object, message?: string): void;
  (message: string): void;
}

/**
 * Structured logging, also the injection token. Errors go under `err`: `logger.error({ err }, 'what failed')`.
 * Fields named like secrets, and texts that look like them, are redacted before a line is written.
 */
export class Logger {
  readonly fatal: LogMethod;
  readonly error: LogMethod;
  readonly warn: LogMethod;
  readonly info: LogMethod;
  readonly debug: LogMethod;
  readonly trace: LogMethod;

  constructor(private readonly sink: PinoLogger) {
    this.fatal = sink.fatal.bind(sink);
    this.error = sink.error.bind(sink);
    this.warn = sink.warn.bind(sink);
    this.info = sink.info.bind(sink);
    this.debug = sink.debug.bind(sink);
    this.trace = sink.trace.bind(sink);
  }

  /** A logger whose lines all carry the fields. */
  child(fields: object): Logger {
    return new Logger(this.sink.child(redactFields(fields)));
  }

  /** True if lines of this level are written: for fields that are dear to compute. */
  isLevelEnabled(level: LogLevel): boolean {
    return this.sink.isLevelEnabled(level);
  }

  /** Waits until all lines have left the process, at most `timeoutMs`. */
  async flush(timeoutMs = 1000): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
      this.sink.flush(() => resolve());
    });
    clearTimeout(timer);
  }
}

export interface LoggerOptions {
  service: string;
  level: LogLevel;
  /** Where the lines go; standard output unless given. */
  destination?: { write(line: string): void };
}

/** JSON lines: `level`, `time` (ISO), `service`, `pid`, the fields, the request context, `msg`. */
export function createLogger({ service, level, destination = standardOutput() }: LoggerOptions): Logger {
  const sink = pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: () => `,"time":"${isoTime(new Date())}"`,
      formatters: { level: (label) => ({ level: label }), log: redactFields },
      // Errors have their form from `redactFields` already; pino's own serializer would add fields.
      serializers: { err: (error: unknown) => error },
      mixin: contextFields,
      // On the finished line, so that no way into it (message, binding, error text) goes past the scrubbing.
      hooks: { streamWrite: scrub },
    },
    destination,
  );
  return new Logger(sink);
}

function contextFields(): Record<string, unknown> {
  const context = currentContext();
  if (!context) return {};
  const { traceId, spanId } = traceIds(context.traceparent);
  return {
    request_id: context.requestId,
    trace_id: traceId,
    span_id: spanId,
    team_id: context.teamId,
    operation: context.operationId,
    run_id: context.runId,
  };
}

let stdout: LineWriter | undefined;

// One for all loggers of the process: two writers on one descriptor would mix their lines.
function standardOutput(): LineWriter {
  stdout ??= new LineWriter(1);
  return stdout;
}
