import { artifactVisibilities, notFound, type ArtifactStatus, type ArtifactVisibility } from '@aos/contracts';
import { findPage, newId, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { ILike, In, Not, type FindOptionsWhere, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { endsOf, type ArtifactMove } from './artifact-state.js';
import { ArtifactEntity } from './artifact.entities.js';

/** Private artifacts are visible only to the credential that created them. */
export interface Viewer {
  readonly teamId: string;
  readonly credentialId: string;
}

export interface ArtifactFilter extends PageRequest {
  readonly status?: ArtifactStatus[];
  readonly visibility?: ArtifactVisibility[];
  readonly search?: string;
}

export type ArtifactChanges = QueryDeepPartialEntity<ArtifactEntity>;

type NewArtifact = Pick<ArtifactEntity, 'title' | 'status' | 'visibility' | 'model' | 'public_token'> &
  Partial<Pick<ArtifactEntity, 'request' | 'refresh_frequency' | 'next_refresh_at'>>;

/** Artifacts as people see them. What workers write is in `ArtifactLeases`. */
@Injectable()
export class ArtifactsRepository {
  constructor(private readonly transactions: Transactions) {}

  page(
    viewer: Viewer,
    { status, visibility, search, ...page }: ArtifactFilter,
  ): Promise<Page<ArtifactEntity>> {
    const filter: FindOptionsWhere<ArtifactEntity> = {
      ...(status ? { status: In(status) } : {}),
      ...(search ? { title: ILike(`%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`) } : {}),
    };
    const wanted = visibility ?? artifactVisibilities;
    const where = [
      { ...filter, team_id: viewer.teamId, visibility: In(wanted.filter((one) => one !== 'private')) },
      ...(wanted.includes('private') ? [{ ...filter, ...privateOf(viewer) }] : []),
    ];
    return findPage(this.rows, { where, order: { created_at: 'DESC', id: 'DESC' } }, page);
  }

  countOf(teamId: string): Promise<number> {
    return this.rows.countBy({ team_id: teamId });
  }

  async get(viewer: Viewer, artifactId: string): Promise<ArtifactEntity> {
    const row = await this.rows.findOne({ where: seenBy(viewer, artifactId) });
    if (!row) throw notFound('The artifact');
    return row;
  }

  /** In the open transaction: nobody else changes it until it ends. */
  async lock(viewer: Viewer, artifactId: string): Promise<ArtifactEntity> {
    const lock = { mode: 'pessimistic_write' } as const;
    const row = await this.rows.findOne({ where: seenBy(viewer, artifactId), lock });
    if (!row) throw notFound('The artifact');
    return row;
  }

  async published(token: string): Promise<ArtifactEntity | undefined> {
    return (await this.rows.findOneBy({ public_token: token, visibility: 'public' })) ?? undefined;
  }

  async insert(viewer: Viewer, artifact: NewArtifact): Promise<ArtifactEntity> {
    const id = newId();
    await this.rows.insert({
      ...artifact,
      id,
      team_id: viewer.teamId,
      made_by: viewer.credentialId,
      answers: [],
      job_id: newId(),
      created_at: () => 'now()',
      updated_at: () => 'now()',
    });
    return this.reread(id);
  }

  async update(artifactId: string, changes: ArtifactChanges): Promise<ArtifactEntity> {
    await this.rows.update({ id: artifactId }, { ...changes, updated_at: () => 'now()' });
    return this.reread(artifactId);
  }

  /** Compare-and-set; undefined if its status does not allow it. */
  async move(
    artifactId: string,
    move: ArtifactMove,
    changes: ArtifactChanges,
  ): Promise<ArtifactEntity | undefined> {
    const { from, to } = endsOf(move);
    const { affected } = await this.rows.update(
      { id: artifactId, status: In(from) },
      { ...changes, status: to, updated_at: () => 'now()' },
    );
    return affected === 1 ? this.reread(artifactId) : undefined;
  }

  async delete(artifactId: string): Promise<void> {
    await this.rows.delete({ id: artifactId });
  }

  private reread(artifactId: string): Promise<ArtifactEntity> {
    return this.rows.findOneByOrFail({ id: artifactId });
  }

  private get rows(): Repository<ArtifactEntity> {
    return this.transactions.repository(ArtifactEntity);
  }
}

function privateOf({ teamId, credentialId }: Viewer): FindOptionsWhere<ArtifactEntity> {
  return { team_id: teamId, visibility: 'private', made_by: credentialId };
}

function seenBy(viewer: Viewer, id: string): FindOptionsWhere<ArtifactEntity>[] {
  return [
    { id, team_id: viewer.teamId, visibility: Not('private') },
    { id, ...privateOf(viewer) },
  ];
}
