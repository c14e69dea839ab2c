import { openConnections, reportConnectionFailure, type Req } from '@aos/contracts';
import { HandlesInternal } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { OpenedConnections } from './opened-connections.js';

@Controller()
export class OpenedConnectionsHandlers {
  constructor(private readonly opened: OpenedConnections) {}

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
