import type { BuildConfig } from '@aos/contracts';
import { PreparedStatements, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { BuildEntity } from './build.entity.js';
import { findBuild, latestBuilds, pageOfBuilds, resolveBuilds } from './builds.sql.js';

type NewBuild = Pick<
  BuildEntity,
  'id' | 'agent_id' | 'team_id' | 'name' | 'revision_number' | 'status' | 'config' | 'parent_build_id'
>;

/** Absent fields stay; a null label is removed. */
export interface BuildChanges {
  readonly name?: string;
  readonly config?: BuildConfig;
  readonly revision_name?: string | null;
  readonly revision_description?: string | null;
}

/** A build and the name of its agent, as a run copies them. */
export type ResolvedBuild = Pick<BuildEntity, 'id' | 'agent_id' | 'name' | 'revision_number'> & {
  readonly agent_name: string;
  /** Null where the caller keeps it. */
  readonly config: BuildConfig | null;
  readonly is_final: boolean;
  readonly has_rubrics: boolean;
};

@Injectable()
export class BuildsRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
  ) {}

  async insert(build: NewBuild): Promise<BuildEntity> {
    await this.rows.insert({ ...build, created_at: () => 'now()', updated_at: () => 'now()' });
    return this.rows.findOneByOrFail({ id: build.id, team_id: build.team_id });
  }

  /** A build of an agent that is still there. */
  async find(teamId: string, buildId: string): Promise<BuildEntity | undefined> {
    const [row] = await this.statements.read<BuildEntity>(findBuild, [teamId, buildId]);
    return row;
  }

  /** For each wanted agent its live build, or the build named; null where there is none for that team. */
  async resolve(
    wanted: readonly { team_id: string; agent_id: string; build_id?: string; kept_build_id?: string }[],
  ): Promise<(ResolvedBuild | null)[]> {
    const rows = await this.statements.read<ResolvedBuild & { place: number }>(resolveBuilds, [
      JSON.stringify(wanted.map((item, place) => ({ ...item, place }))),
    ]);
    const byPlace = new Map(rows.map((row) => [row.place, row]));
    return wanted.map((_, place) => byPlace.get(place) ?? null);
  }

  /** As it is now, inside the transaction that changes it. */
  async reread(teamId: string, buildId: string): Promise<BuildEntity> {
    const where = { id: buildId, team_id: teamId };
    return this.rows.findOneOrFail({ where, lock: { mode: 'pessimistic_write' } });
  }

  async list(teamId: string, agentId: string, page: PageRequest, total: number): Promise<Page<BuildEntity>> {
    const values = [teamId, agentId, page.limit, page.offset];
    return { items: await this.transactions.query<BuildEntity>(pageOfBuilds, values), total, ...page };
  }

  /** The newest build of each agent; of the first ones only, where they are too large for a page. */
  async latest(teamId: string, agentIds: readonly string[]): Promise<Map<string, BuildEntity>> {
    const rows = await this.transactions.query<BuildEntity>(latestBuilds, [teamId, agentIds]);
    return new Map(rows.map((row) => [row.agent_id, row]));
  }

  /** None where name or config would change in a build that is no draft. */
  async update(teamId: string, buildId: string, changes: BuildChanges): Promise<BuildEntity | undefined> {
    const build = { id: buildId, team_id: teamId };
    const isForDraft = changes.name !== undefined || changes.config !== undefined;
    const where = isForDraft ? { ...build, status: 'draft' as const } : build;
    const { affected } = await this.rows.update(where, { ...changes, updated_at: () => 'now()' });
    return affected === 0 ? undefined : this.rows.findOneByOrFail(build);
  }

  /** The live build becomes historic; the index allows the next one only then. */
  async retire(teamId: string, buildId: string): Promise<void> {
    const retired = { status: 'historic' as const, updated_at: () => 'now()' };
    await this.rows.update({ id: buildId, team_id: teamId }, retired);
  }

  async publish(
    teamId: string,
    buildId: string,
    labels: { name?: string; description?: string; previousBuildId?: string },
  ): Promise<BuildEntity> {
    const where = { id: buildId, team_id: teamId };
    await this.rows.update(where, {
      status: 'live',
      revision_name: labels.name,
      revision_description: labels.description,
      previous_live_build_id: labels.previousBuildId,
      updated_at: () => 'now()',
    });
    return this.rows.findOneByOrFail(where);
  }

  private get rows(): Repository<BuildEntity> {
    return this.transactions.repository(BuildEntity);
  }
}
