import {
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  updateConnection,
  type OperationRequest,
  type OperationResponse,
} from '@aos/contracts';
import { Handles, type CommitStep } from '@aos/messaging';
import { listAnswer } from '@aos/operations';
import { Controller, Inject } from '@nestjs/common';
import { toConnection } from './connection.mapper.js';
import { ConnectionsService } from './connections.service.js';
import { TokenRevocation } from './token-revocation.js';

@Controller()
export class ConnectionsHandlers {
  constructor(
    @Inject(ConnectionsService) private readonly connections: ConnectionsService,
    @Inject(TokenRevocation) private readonly revocation: TokenRevocation,
  ) {}

  @Handles(listConnections)
  async listConnections({
    teamId,
    query,
  }: OperationRequest<typeof listConnections>): Promise<OperationResponse<typeof listConnections>> {
    return listAnswer('connections', await this.connections.list(teamId, query), toConnection);
  }

  @Handles(createConnection)
  async createConnection({
    teamId,
    body,
  }: OperationRequest<typeof createConnection>): Promise<
    CommitStep<OperationResponse<typeof createConnection>>
  > {
    const made = await this.connections.prepare(teamId, body);
    return async () => toConnection(await this.connections.create(made));
  }

  @Handles(getConnection)
  async getConnection({
    teamId,
    params,
  }: OperationRequest<typeof getConnection>): Promise<OperationResponse<typeof getConnection>> {
    return toConnection(await this.connections.find(teamId, params.connection_id));
  }

  @Handles(updateConnection)
  async updateConnection({
    teamId,
    params,
    body,
  }: OperationRequest<typeof updateConnection>): Promise<
    CommitStep<OperationResponse<typeof updateConnection>>
  > {
    const changes = await this.connections.prepareChange(teamId, params.connection_id, body);
    return async () => toConnection(await this.connections.change(teamId, params.connection_id, changes));
  }

  @Handles(deleteConnection)
  async deleteConnection({
    teamId,
    params,
  }: OperationRequest<typeof deleteConnection>): Promise<
    CommitStep<OperationResponse<typeof deleteConnection>>
  > {
    const present = await this.connections.find(teamId, params.connection_id);
    const isRevoked = await this.revocation.revoke(present);
    return async () => {
      await this.connections.delete(teamId, params.connection_id);
      const message = isRevoked
        ? 'The connection is deleted, and its tokens are revoked.'
        : 'The connection is deleted.';
      return { success: true, message };
    };
  }
}
