import { AppError, describeConnections, maxArtifactConnections, notFound } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { findPage, type Page, type PageRequest, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import type { z } from 'zod';
import { ArtifactConnectionEntity } from '../artifact.entities.js';
import { ArtifactsRepository, type Viewer } from '../artifacts.repository.js';

/** Which connections artifacts may read with. Only for those who have found, or lock, the artifact. */
@Injectable()
export class ArtifactConnectionsRepository {
  constructor(private readonly transactions: Transactions) {}

  page(artifactId: string, page: PageRequest): Promise<Page<ArtifactConnectionEntity>> {
    const order = { created_at: 'ASC', connection_id: 'ASC' } as const;
    return findPage(this.rows, { where: { artifact_id: artifactId }, order }, page);
  }

  /** Always in the same order, so that their tools have the same names each time. */
  async idsOf(artifactId: string): Promise<string[]> {
    const order = { created_at: 'ASC', connection_id: 'ASC' } as const;
    const rows = await this.rows.find({ where: { artifact_id: artifactId }, order });
    return rows.map((row) => row.connection_id);
  }

  async insert(artifactId: string, connectionId: string): Promise<ArtifactConnectionEntity> {
    const key = { artifact_id: artifactId, connection_id: connectionId };
    await this.rows.insert({ ...key, created_at: () => 'now()' });
    return this.rows.findOneByOrFail(key);
  }

  /** In the order in which they are given. */
  async replace(artifactId: string, connectionIds: readonly string[]): Promise<void> {
    const kept = new Set(await this.idsOf(artifactId));
    const wanted = new Set(connectionIds);
    const gone = [...kept].filter((id) => !wanted.has(id));
    if (gone.length > 0) await this.rows.delete({ artifact_id: artifactId, connection_id: In(gone) });
    const added = [...wanted].filter((id) => !kept.has(id));
    if (added.length === 0) return;
    const createdAt = Date.now();
    await this.rows.insert(
      added.map((id, place) => ({
        artifact_id: artifactId,
        connection_id: id,
        created_at: new Date(createdAt + place),
      })),
    );
  }

  /** Whether it was there. */
  async remove(artifactId: string, connectionId: string): Promise<boolean> {
    const { affected } = await this.rows.delete({ artifact_id: artifactId, connection_id: connectionId });
    return affected === 1;
  }

  async copy(fromId: string, toId: string): Promise<void> {
    const rows = await this.rows.findBy({ artifact_id: fromId });
    if (rows.length > 0) await this.rows.insert(rows.map((row) => ({ ...row, artifact_id: toId })));
  }

  async deleteAll(artifactId: string): Promise<void> {
    await this.rows.delete({ artifact_id: artifactId });
  }

  private get rows(): Repository<ArtifactConnectionEntity> {
    return this.transactions.repository(ArtifactConnectionEntity);
  }
}

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
        throw new AppError('already_exists', 'connection_id: the artifact already has this connection.');
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
