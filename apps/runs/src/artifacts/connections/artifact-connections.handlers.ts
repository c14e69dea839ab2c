import {
  addArtifactConnection,
  listArtifactConnections,
  removeArtifactConnection,
  type Req,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { viewerOf } from '../pages/viewer.js';
import { ArtifactConnectionsService, type KnownConnection } from './artifact-connections.service.js';

@Controller()
export class ArtifactConnectionsHandlers {
  constructor(private readonly connections: ArtifactConnectionsService) {}

  @Handles(listArtifactConnections)
  async listArtifactConnections({ params, query, ...caller }: Req<typeof listArtifactConnections>) {
    const page = await this.connections.page(viewerOf(caller), params.artifactId, query);
    return listAnswer('connections', page, toConnection);
  }

  @Handles(addArtifactConnection)
  async addArtifactConnection({ params, body, ...caller }: Req<typeof addArtifactConnection>) {
    const { connection_id: id } = body;
    const add = await this.connections.add(viewerOf(caller), params.artifactId, id);
    return async () => ({ connection_id: id, connection: toConnection(await add()) });
  }

  @Handles(removeArtifactConnection)
  async removeArtifactConnection({ params, ...caller }: Req<typeof removeArtifactConnection>) {
    await this.connections.remove(viewerOf(caller), params.artifactId, params.connectionId);
    return { success: true as const };
  }
}

function toConnection({ row, described }: KnownConnection) {
  return {
    connection_id: row.connection_id,
    artifact_id: row.artifact_id,
    name: described?.name ?? null,
    type: described?.type ?? null,
    status: described?.status ?? null,
    created_at: row.created_at.toISOString(),
  };
}
