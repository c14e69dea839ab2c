import type { InternalCall, Operation, OperationAnswer, OperationEnvelope } from '@aos/contracts';
import type { z } from 'zod';
import type { RpcClient } from './rpc-client.js';

/** Typed requests to other services. */
export class ServiceClient {
  /** `check` throws for a call that the caller does not declare. */
  constructor(
    private readonly rpc: RpcClient,
    private readonly check: (call: InternalCall, service: string) => void = () => undefined,
  ) {}

  async callOperation(operation: Operation, envelope: OperationEnvelope): Promise<OperationAnswer> {
    const { head, body } = await this.rpc.request({
      service: operation.owner,
      name: operation.operationId,
      payload: envelope,
      isOperation: true,
      sealed: operation.secrets.request,
      isAnswerSealed: operation.secrets.response,
      timeoutMs: operation.timeoutMs,
    });
    return {
      status: head.status!,
      body,
      replayed: head.replayed,
      retryAfterSeconds: head.retryAfterSeconds,
    };
  }

  /** A call between services; `service` is named only where every service answers it. */
  async call<C extends InternalCall>(
    call: C,
    request: z.input<C['request']>,
    options: { service?: string; timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<z.output<C['response']>> {
    const service = call.owner ?? options.service;
    if (service === undefined) throw new Error(`${call.name} needs the name of a service`);
    this.check(call, service);
    const { body } = await this.rpc.request({
      service,
      name: call.name,
      payload: request,
      sealed: call.secrets.request,
      isAnswerSealed: call.secrets.response,
      timeoutMs: options.timeoutMs,
      signal: options.signal,
    });
    return call.response.parse(JSON.parse(body)) as z.output<C['response']>;
  }
}
