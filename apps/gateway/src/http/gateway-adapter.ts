import { FastifyAdapter } from '@nestjs/platform-fastify';

/**
 * Nest's Fastify adapter without Nest's own error and not-found pages: all routes come from the contract table,
 * and all errors have the shape of the contract.
 */
export class GatewayAdapter extends FastifyAdapter {
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance();
  }
}
