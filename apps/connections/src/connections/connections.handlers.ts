import {
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  updateConnection,
  type OperationResponse,
  type Req,
} from '@aos/contracts';
import { Handles, type CommitStep } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { toConnection } from './connection.mapper.js';
import { ConnectionsService } from './connections.service.js';
import { TokenRevocation } from './token-revocation.js';

@Controller()
export class ConnectionsHandlers {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly revocation: TokenRevocation,
  ) {}

  @Handles(listConnections)
  async listConnections({ teamId, query }: Req<typeof listConnections>) {
    const { type, ...page } = query;
    const answer = listAnswer('connections', await this.connections.list(teamId, type, page), toConnection);
    return { ...answer, integrations: answer.connections };
  }

  @Handles(createConnection)
  async createConnection({
    teamId,
    body,
  }: Req<typeof createConnection>): Promise<CommitStep<OperationResponse<typeof createConnection>>> {
    const made = await this.connections.prepare(teamId, body);
    return async () => toConnection(await this.connections.create(made));
  }

  @Handles(getConnection)
  async getConnection({ teamId, params }: Req<typeof getConnection>) {
    return toConnection(await this.connections.find(teamId, params.connection_id));
  }

  @Handles(updateConnection)
  async updateConnection({
    teamId,
    params,
    body,
  }: Req<typeof updateConnection>): Promise<CommitStep<OperationResponse<typeof updateConnection>>> {
    const prepared = await this.connections.prepareChange(teamId, params.connection_id, body);
    return async () => toConnection(await this.connections.change(prepared));
  }

  @Handles(deleteConnection)
  async deleteConnection({
    teamId,
    params,
  }: Req<typeof deleteConnection>): Promise<CommitStep<OperationResponse<typeof deleteConnection>>> {
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
