import type { InternalCall, Operation, OperationRequest, OperationResponse } from '@aos/contracts';
import { Catch, UseFilters, type RpcExceptionFilter } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { throwError, type Observable } from 'rxjs';
import type { z } from 'zod';

type Handler<Request, Response> = (request: Request) => Promise<Response>;

/**
 * What a handler of a `leased` operation returns after it has called out: its writes, run in one transaction
 * with the idempotency record.
 */
export type CommitStep<Response> = () => Promise<Response>;

/** Binds a controller method to a public operation; the compiler checks request and answer against it. */
export function Handles<O extends Operation>(operation: O) {
  return <H extends Handler<OperationRequest<O>, OperationResponse<O> | CommitStep<OperationResponse<O>>>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    bind(operation.operationId, target, key, descriptor);
  };
}

/** Binds a controller method to a call between services. */
export function HandlesInternal<C extends InternalCall>(call: C) {
  return <H extends Handler<z.output<C['request']>, z.input<C['response']>>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    bind(call.name, target, key, descriptor);
  };
}

function bind(name: string, target: object, key: string | symbol, descriptor: PropertyDescriptor): void {
  MessagePattern(name)(target, key, descriptor);
  UseFilters(AppErrorFilter)(target, key, descriptor);
}

/**
 * Lets errors out of a handler as they are. Nest's own filter would turn everything but RpcException into a bare
 * "Internal server error"; the RPC server decides what crosses the wire.
 */
@Catch()
export class AppErrorFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
