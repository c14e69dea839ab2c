import {
  buildConfigSchema,
  type BuildConfig,
  type buildSchema,
  type CopiedBuild,
  type oneBuild,
} from '@aos/contracts';
import type { z } from 'zod';
import type { BuildEntity } from './build.entity.js';
import type { RevisionWarnings } from './revision-warnings.js';

export type Build = z.output<typeof buildSchema>;

/** Parsing fills in what a config stored by an earlier version lacks. */
export function toBuild(row: BuildEntity): Build {
  return {
    id: row.id,
    build_id: row.id,
    agent_id: row.agent_id,
    name: row.name,
    revision_number: row.revision_number,
    revision_name: row.revision_name,
    revision_description: row.revision_description,
    status: row.status,
    config: buildConfigSchema.parse(row.config),
    parent_build_id: row.parent_build_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function buildAnswer(row: BuildEntity, warnings: RevisionWarnings): z.output<typeof oneBuild> {
  const build = toBuild(row);
  return { build_id: row.id, status: row.status, build, warnings: warnings.of(build.config) };
}

/** The part of a build that a run copies. */
export function toCopiedBuild(
  row: Pick<BuildEntity, 'id' | 'agent_id' | 'name' | 'revision_number'>,
  config: BuildConfig,
): CopiedBuild {
  return {
    id: row.id,
    build_id: row.id,
    agent_id: row.agent_id,
    name: row.name,
    revision_number: row.revision_number,
    config: buildConfigSchema.parse(config),
  };
}
