import type { Operation, OperationAnswer, OperationEnvelope, OperationRequest } from '@aos/contracts';

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
