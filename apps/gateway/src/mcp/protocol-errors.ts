import { AppError } from '@aos/contracts';
import type { Logger } from '@aos/platform';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Converts an error into a JSON-RPC error; the service's own code is in its data. */
export function protocolError(error: unknown, logger: Logger): Error {
  if (error instanceof ProtocolError) return error;
  if (error instanceof AppError) {
    const code = error.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    return new ProtocolError(code, error.message, error.toBody());
  }
  logger.error({ err: error }, 'answering an MCP message failed');
  return new ProtocolError(ProtocolErrorCode.InternalError, 'The service failed to answer.');
}
