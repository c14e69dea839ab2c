import { Injectable, type LoggerService } from '@nestjs/common';
import { isError } from './error-serializer.js';
import { Logger, type LogLevel } from './logger.js';

// What Nest tells about every module and route at each start.
const startupContexts = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestApplicationContext',
  'NestFactory',
  'NestMicroservice',
  'RouterExplorer',
  'RoutesResolver',
]);

/** Brings the lines of Nest itself into the shape of ours: `app.useLogger(app.get(NestLogger))`. */
@Injectable()
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...parameters: unknown[]): void {
    const context = contextOf(parameters);
    this.write(context !== undefined && startupContexts.has(context) ? 'debug' : 'info', message, parameters);
  }

  error(message: unknown, ...parameters: unknown[]): void {
    this.write('error', message, parameters);
  }

  warn(message: unknown, ...parameters: unknown[]): void {
    this.write('warn', message, parameters);
  }

  debug(message: unknown, ...parameters: unknown[]): void {
    this.write('debug', message, parameters);
  }

  verbose(message: unknown, ...parameters: unknown[]): void {
    this.write('trace', message, parameters);
  }

  fatal(message: unknown, ...parameters: unknown[]): void {
    this.write('fatal', message, parameters);
  }

  private write(level: Exclude<LogLevel, 'silent'>, message: unknown, parameters: unknown[]): void {
    const context = contextOf(parameters);
    const rest = (context === undefined ? parameters : parameters.slice(0, -1)).filter(
      (item) => item !== undefined,
    );
    const error = [message, ...rest].find(isError);
    const stack = rest.find(isStack);
    const details = rest.filter((item) => item !== error && item !== stack);
    const fields: Record<string, unknown> = { context, err: error, stack };
    if (details.length > 0) fields.details = details;
    if (typeof message === 'object' && message !== error) fields.data = message;
    this.logger[level](fields, textOf(message));
  }
}

// Nest passes the context last; its own Logger adds it to whatever the caller gave.
function contextOf(parameters: unknown[]): string | undefined {
  const last = parameters.at(-1);
  return typeof last === 'string' && !isStack(last) ? last : undefined;
}

function isStack(value: unknown): value is string {
  return typeof value === 'string' && value.includes('\n    at ');
}

function textOf(message: unknown): string | undefined {
  if (isError(message)) return message.message;
  return typeof message === 'object' ? undefined : String(message);
}
