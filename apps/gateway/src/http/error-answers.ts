import { AppError } from '@aos/contracts';
import { isStoreUnavailable } from '@aos/persistence';
import type { Logger } from '@aos/platform';
import { passingRefusal } from '@aos/service';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const fastifyErrors: Readonly<Record<string, AppError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError(
    'unsupported_media_type',
    'The body must be application/json.',
  ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError(
    'invalid_request',
    'Content-Length does not match the body.',
  ),
  FST_ERR_BAD_URL: new AppError('not_found', 'The path does not exist.'),
  FST_ERR_MAX_PARAM_LENGTH: new AppError('not_found', 'The path does not exist.'),
};

/** Every error that leaves the gateway has one shape: `error` and `message`. */
export function answerErrors(server: FastifyInstance, logger: Logger): void {
  // Only for a target that is no path, such as "*": Fastify runs no hook for it.
  server.setNotFoundHandler((request, reply) => {
    reply.header('x-request-id', request.id);
    return sendError(reply, new AppError('not_found', 'The path does not exist.'));
  });
  server.setErrorHandler((error: FastifyError, request, reply) => {
    sendError(reply, toAppError(error, request, logger));
  });
}

export function toAppError(error: unknown, request: FastifyRequest, logger: Logger): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const { bodyLimit } = request.routeOptions;
    return new AppError('payload_too_large', `The body is too large: at most ${bodyLimit} bytes.`);
  }
  const known = code === undefined ? undefined : fastifyErrors[code];
  if (known) return known;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('invalid_request', 'The request cannot be read.');
  }
  const refused = passingRefusal(error);
  if (refused) {
    if (!isStoreUnavailable(error)) {
      logger.warn({ err: error, request_id: request.id }, 'request refused; the client may retry');
    }
    return refused;
  }
  logger.error({ err: error, request_id: request.id }, 'a request failed');
  return new AppError('internal_error', 'The service failed to answer.');
}

export function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  const { retryAfterSeconds, rateLimit } = error.options;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  if (rateLimit !== undefined) {
    reply.header('ratelimit-limit', rateLimit).header('ratelimit-remaining', 0);
    reply.header('ratelimit-reset', retryAfterSeconds);
  }
  return reply.code(error.status).send(error.toBody());
}
