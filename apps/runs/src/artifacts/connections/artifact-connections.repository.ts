import { findPage, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { ArtifactConnectionEntity } from '../artifact.entities.js';

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
