import { AppError, describeConnections, maxArtifactConnections, notFound } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import type { Page, PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { ArtifactConnectionsRepository } from './artifact-connections.repository.js';
import type { ArtifactConnectionEntity } from '../artifact.entities.js';
import { ArtifactsRepository, type Viewer } from '../artifacts.repository.js';

type Described = z.output<(typeof describeConnections)['response']>['connections'][number];

/** An artifact's connection, and what its owner tells of it; undefined if it is gone. */
export interface KnownConnection {
  readonly row: ArtifactConnectionEntity;
  readonly described: Described | undefined;
}

@Injectable()
export class ArtifactConnectionsService {
  constructor(
    private readonly artifacts: ArtifactsRepository,
    private readonly connections: ArtifactConnectionsRepository,
    private readonly services: ServiceClient,
  ) {}

  async page(viewer: Viewer, artifactId: string, page: PageRequest): Promise<Page<KnownConnection>> {
    await this.artifacts.get(viewer, artifactId);
    const found = await this.connections.page(artifactId, page);
    const ids = found.items.map((row) => row.connection_id);
    const known = await this.describe(viewer.teamId, ids);
    return { ...found, items: found.items.map((row) => ({ row, described: known.get(row.connection_id) })) };
  }

  /** Asks the owner of connections first; gives the writes. */
  async add(
    viewer: Viewer,
    artifactId: string,
    connectionId: string,
  ): Promise<() => Promise<KnownConnection>> {
    await this.artifacts.get(viewer, artifactId);
    const described = (await this.describe(viewer.teamId, [connectionId])).get(connectionId);
    if (!described) throw notFound('The connection');
    return async () => {
      await this.artifacts.lock(viewer, artifactId);
      const present = await this.connections.idsOf(artifactId);
      if (present.includes(connectionId)) {
        throw new AppError('already_exists', 'connection_id: the artifact has this connection already.');
      }
      if (present.length >= maxArtifactConnections) {
        throw new AppError('limit_reached', `An artifact has at most ${maxArtifactConnections} connections.`);
      }
      return { row: await this.connections.insert(artifactId, connectionId), described };
    };
  }

  /** Asks the owner of connections; refuses if one is unknown or another team's. */
  async assertKnown(teamId: string, ids: readonly string[]): Promise<void> {
    const known = await this.describe(teamId, [...new Set(ids)]);
    const missing = ids.find((id) => !known.has(id));
    if (missing === undefined) return;
    throw new AppError('not_found', `connection_ids: the team has no connection ${missing}.`);
  }

  async remove(viewer: Viewer, artifactId: string, connectionId: string): Promise<void> {
    await this.artifacts.lock(viewer, artifactId);
    if (!(await this.connections.remove(artifactId, connectionId))) throw notFound('The connection');
  }

  private async describe(teamId: string, ids: string[]): Promise<Map<string, Described>> {
    if (ids.length === 0) return new Map();
    const request = { team_id: teamId, connection_ids: ids };
    const { connections } = await this.services.call(describeConnections, request);
    return new Map(connections.map((connection) => [connection.id, connection]));
  }
}
