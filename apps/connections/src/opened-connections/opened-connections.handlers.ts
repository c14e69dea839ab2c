import { describeConnections, openConnections, reportConnectionFailure, type Req } from '@aos/contracts';
import { HandlesInternal } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { ConnectionsRepository } from '../connections/connections.repository.js';
import { OpenedConnections } from './opened-connections.js';

@Controller()
export class OpenedConnectionsHandlers {
  constructor(
    private readonly opened: OpenedConnections,
    private readonly connections: ConnectionsRepository,
  ) {}

  @HandlesInternal(describeConnections)
  async describeConnections({ team_id: teamId, connection_ids: ids }: Req<typeof describeConnections>) {
    const found = await this.connections.findAll(teamId, ids);
    return { connections: found.map(({ id, name, type, status }) => ({ id, name, type, status })) };
  }

  @HandlesInternal(openConnections)
  async openConnections({ team_id: teamId, connection_ids: ids }: Req<typeof openConnections>) {
    return { connections: await Promise.all(ids.map((id) => this.opened.open(teamId, id))) };
  }

  @HandlesInternal(reportConnectionFailure)
  async reportConnectionFailure({
    team_id: teamId,
    connection_id: id,
    version,
    failure,
  }: Req<typeof reportConnectionFailure>) {
    if (failure.kind === 'unauthorized')
      return { retry: await this.opened.unauthorized(teamId, id, version) };
    await this.opened.insufficientScope(teamId, id, version, failure.scope);
    return { retry: false };
  }
}
