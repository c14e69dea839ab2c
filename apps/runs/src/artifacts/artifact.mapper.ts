import type { Artifact, artifactMessageSchema, artifactRevisionSchema } from '@aos/contracts';
import type { z } from 'zod';
import type { RevisionFacts } from './artifact-history.js';
import type { ArtifactEntity, ArtifactMessageEntity } from './artifact.entities.js';

/** How the address of a published page begins. */
export const publicPath = '/v2/public/artifacts/';

/** The origin under which published pages are found is the installation's. */
export function toArtifact(row: ArtifactEntity, origin: string): Artifact {
  return {
    id: row.id,
    artifact_id: row.id,
    team_id: row.team_id,
    title: row.title,
    status: row.status,
    visibility: row.visibility,
    permission: row.permission,
    model: row.model,
    refresh_frequency: row.refresh_frequency,
    last_refresh_at: row.last_refresh_at?.toISOString() ?? null,
    next_refresh_at: row.next_refresh_at?.toISOString() ?? null,
    current_version: row.current_version,
    pending_user_questions: row.pending_user_questions,
    error: row.error,
    public_url: row.public_token === null ? null : `${origin}${publicPath}${row.public_token}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The artifact as an answer holds it: bare, and under its name. */
export function artifactAnswer(row: ArtifactEntity, origin: string): Artifact & { artifact: Artifact } {
  const artifact = toArtifact(row, origin);
  return { ...artifact, artifact };
}

export function toMessage(row: ArtifactMessageEntity): z.output<typeof artifactMessageSchema> {
  const { id, artifact_id, role, content, created_at } = row;
  return { id, artifact_id, role, content, created_at: created_at.toISOString() };
}

export function toRevision(
  row: RevisionFacts,
  currentVersion: number | null,
): z.output<typeof artifactRevisionSchema> {
  return {
    id: row.id,
    revision_id: row.id,
    artifact_id: row.artifact_id,
    version: row.version,
    title: row.title,
    source: row.source,
    restored_version: row.restored_version,
    is_current: row.version === currentVersion,
    size_bytes: row.size_bytes,
    created_at: row.created_at.toISOString(),
  };
}
