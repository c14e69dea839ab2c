import type { Channel, Operation, OperationRequest, Principal, RawRequest, StagedFile } from '@aos/contracts';

/** A public operation on its way to the service that owns it. */
export interface OperationEnvelope extends RawRequest {
  readonly principal: Principal;
  readonly idempotencyKey?: string;
  /** The file of the request, where the gateway has put it. */
  readonly upload?: StagedFile;
  /** How the caller reached the gateway; the HTTP interface where none is named. */
  readonly channel?: Channel;
}

/** The HTTP answer, made by the owner; `body` is JSON text and is passed on as it is. */
export interface OperationAnswer {
  readonly status: number;
  readonly body: string;
  readonly replayed?: boolean;
  readonly retryAfterSeconds?: number;
}

/**
 * What stands between the wire and a handler in every service: idempotency, validation, one transaction.
 * It answers refusals itself; what it throws is a fault of ours.
 */
export abstract class OperationPipeline {
  abstract run(
    operation: Operation,
    envelope: OperationEnvelope,
    handle: (request: OperationRequest) => Promise<unknown>,
  ): Promise<OperationAnswer>;
}
