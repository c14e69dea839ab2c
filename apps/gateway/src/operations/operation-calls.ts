import type { Operation, OperationAnswer, OperationEnvelope } from '@aos/contracts';
import { RpcServer, ServiceClient } from '@aos/messaging';
import { ServiceIdentity } from '@aos/platform';
import { Injectable } from '@nestjs/common';

/** Takes operations to their owners: over RPC, or in this process where the gateway is the owner. */
@Injectable()
export class OperationCalls {
  constructor(
    private readonly identity: ServiceIdentity,
    private readonly local: RpcServer,
    private readonly services: ServiceClient,
  ) {}

  dispatch(operation: Operation, envelope: OperationEnvelope): Promise<OperationAnswer> {
    if (operation.owner === this.identity.service) return this.local.handleLocally(operation, envelope);
    return this.services.callOperation(operation, envelope);
  }
}
