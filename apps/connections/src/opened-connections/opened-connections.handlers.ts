import { openConnections, reportConnectionFailure } from '@aos/contracts';
import { HandlesInternal } from '@aos/messaging';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { OpenedConnections } from './opened-connections.js';

@Controller()
export class OpenedConnectionsHandlers {
  constructor(@Inject(OpenedConnections) private readonly opened: OpenedConnections) {}

  @HandlesInternal(openConnections)
  async openConnections({
    team_id: teamId,
    connection_ids: ids,
  }: z.output<(typeof openConnections)['request']>): Promise<z.input<(typeof openConnections)['response']>> {
    return { connections: await Promise.all(ids.map((id) => this.opened.open(teamId, id))) };
  }

  @HandlesInternal(reportConnectionFailure)
  async reportConnectionFailure({
    team_id: teamId,
    connection_id: id,
    version,
    failure,
  }: z.output<(typeof reportConnectionFailure)['request']>): Promise<
    z.input<(typeof reportConnectionFailure)['response']>
  > {
    if (failure.kind === 'unauthorized')
      return { retry: await this.opened.unauthorized(teamId, id, version) };
    await this.opened.insufficientScope(teamId, id, version, failure.scope);
    return { retry: false };
  }
}
