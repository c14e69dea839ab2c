import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

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
