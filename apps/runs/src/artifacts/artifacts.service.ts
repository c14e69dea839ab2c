import { randomBytes } from 'node:crypto';
import {
  AppError,
  type ArtifactPermission,
  type ArtifactRefreshFrequency,
  type ArtifactVisibility,
} from '@aos/contracts';
import type { Page } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { type RunsConfig, RunsSettings } from '../runs.config.js';
import { ArtifactHistory } from './artifact-history.js';
import type { ArtifactEntity } from './artifact.entities.js';
import {
  type ArtifactChanges,
  type ArtifactFilter,
  ArtifactsRepository,
  type Viewer,
} from './artifacts.repository.js';
import { ArtifactConnectionsRepository } from './connections/artifact-connections.service.js';
import { ArtifactDispatch } from './generation/artifact-dispatch.js';
import { ArtifactPermits, ArtifactStops } from './generation/artifact-permits.js';
import { nextRefresh } from './refresh/refresh-times.js';

interface NewArtifact {
  readonly message: string;
  readonly title?: string;
  readonly visibility: ArtifactVisibility;
  readonly refresh_frequency?: ArtifactRefreshFrequency;
  readonly model?: string;
  readonly connection_ids?: readonly string[];
}

interface Changes {
  readonly title?: string | null;
  readonly visibility?: ArtifactVisibility;
  readonly refresh_frequency?: ArtifactRefreshFrequency | null;
  readonly model?: string;
  /** Replaces those that it has. */
  readonly connection_ids?: readonly string[];
}

const tokenBytes = 32;

@Injectable()
export class ArtifactsService {
  constructor(
    private readonly artifacts: ArtifactsRepository,
    private readonly history: ArtifactHistory,
    private readonly connections: ArtifactConnectionsRepository,
    private readonly permits: ArtifactPermits,
    private readonly dispatch: ArtifactDispatch,
    private readonly stops: ArtifactStops,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
  ) {}

  page(viewer: Viewer, filter: ArtifactFilter): Promise<Page<ArtifactEntity>> {
    return this.artifacts.page(viewer, filter);
  }

  get(viewer: Viewer, artifactId: string): Promise<ArtifactEntity> {
    return this.artifacts.get(viewer, artifactId);
  }

  async create(
    viewer: Viewer,
    { message, title, visibility, ...given }: NewArtifact,
  ): Promise<ArtifactEntity> {
    await this.permits.assertMayMake(viewer.teamId);
    await this.permits.assertRoom(viewer.teamId);
    const artifact = await this.artifacts.insert(viewer, {
      title: title ?? null,
      status: 'pending',
      request: 'message',
      visibility,
      public_token: visibility === 'public' ? newPublicToken() : null,
      model: given.model ?? this.settings.ARTIFACTS_MODEL,
      ...refreshing(given.refresh_frequency ?? null),
    });
    await this.connections.replace(artifact.id, given.connection_ids ?? []);
    await this.history.say(artifact.id, 'user', message);
    this.dispatch.addAfterCommit(artifact);
    return artifact;
  }

  async update(
    viewer: Viewer,
    artifactId: string,
    { title, visibility, refresh_frequency: frequency, model, connection_ids: connectionIds }: Changes,
  ): Promise<ArtifactEntity> {
    const present = await this.artifacts.lock(viewer, artifactId);
    assertMayBe(visibility, present, viewer);
    if (connectionIds) await this.connections.replace(artifactId, connectionIds);
    const changes: ArtifactChanges = {
      ...(title === undefined ? {} : { title }),
      ...(model === undefined ? {} : { model }),
      ...(visibility === undefined ? {} : shown(present, visibility)),
      ...(frequency === undefined || frequency === present.refresh_frequency ? {} : refreshing(frequency)),
    };
    return this.artifacts.update(artifactId, changes);
  }

  /** Sharing with fewer is never refused for want of a page: it may be what takes an address back. */
  async publish(
    viewer: Viewer,
    artifactId: string,
    { visibility, permission }: { visibility: ArtifactVisibility; permission: ArtifactPermission },
  ): Promise<ArtifactEntity> {
    const present = await this.artifacts.lock(viewer, artifactId);
    assertMayBe(visibility, present, viewer);
    if (visibility === 'public' && present.current_version === null) {
      throw new AppError('invalid_state', 'The artifact has no page yet that could be published.');
    }
    return this.artifacts.update(artifactId, { ...shown(present, visibility), permission });
  }

  /** Whatever works on it loses its lease with the row. */
  async delete(viewer: Viewer, artifactId: string): Promise<void> {
    await this.artifacts.lock(viewer, artifactId);
    await this.history.delete(artifactId);
    await this.connections.deleteAll(artifactId);
    await this.artifacts.delete(artifactId);
    this.stops.tell(artifactId);
  }

  async duplicate(viewer: Viewer, artifactId: string, title?: string): Promise<ArtifactEntity> {
    const original = await this.artifacts.lock(viewer, artifactId);
    await this.permits.assertMayMake(viewer.teamId);
    await this.permits.assertRoom(viewer.teamId);
    const page = await this.history.version(artifactId, original.current_version);
    const copy = await this.artifacts.insert(viewer, {
      title: title ?? copyTitle(original.title),
      status: page ? 'completed' : 'not_started',
      visibility: 'private',
      public_token: null,
      model: original.model,
    });
    await this.history.copyMessages(artifactId, copy.id);
    await this.connections.copy(artifactId, copy.id);
    if (!page) return copy;
    await this.history.add(copy.id, 1, page, { source: 'duplicate' });
    return this.artifacts.update(copy.id, { current_version: 1 });
  }
}

/** To make it private takes it away from its maker, or from the caller. */
function assertMayBe(
  visibility: ArtifactVisibility | undefined,
  { made_by: maker }: ArtifactEntity,
  { credentialId }: Viewer,
): void {
  if (visibility !== 'private' || maker === credentialId) return;
  throw new AppError('forbidden', 'Only the creator of the artifact can make it private.');
}

/** An address is made when it becomes public, kept while it is, and gone for good afterwards. */
function shown(present: ArtifactEntity, visibility: ArtifactVisibility): ArtifactChanges {
  const token = visibility === 'public' ? (present.public_token ?? newPublicToken()) : null;
  return { visibility, public_token: token };
}

function newPublicToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

function refreshing(
  frequency: ArtifactRefreshFrequency | null,
): Pick<ArtifactEntity, 'refresh_frequency' | 'next_refresh_at' | 'failed_refreshes'> {
  const now = new Date();
  return {
    refresh_frequency: frequency,
    next_refresh_at: frequency && nextRefresh(frequency, now, now),
    failed_refreshes: 0,
  };
}

const maxTitleLength = 200;
const suffix = ' (copy)';

function copyTitle(title: string | null): string | null {
  return title && `${[...title].slice(0, maxTitleLength - suffix.length).join('')}${suffix}`;
}
