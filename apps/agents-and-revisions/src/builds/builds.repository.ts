import type { BuildConfig } from '@aos/contracts';
import { Statements, Transactions, withinPageBytes, type Page, type PageRequest } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { BuildEntity } from './build.entity.js';

type NewBuild = Pick<
  BuildEntity,
  'id' | 'agent_id' | 'team_id' | 'name' | 'revision_number' | 'status' | 'config' | 'parent_build_id'
>;

/** A build and the name of its agent, as a run copies them. */
export type ResolvedBuild = Pick<BuildEntity, 'id' | 'agent_id' | 'name' | 'revision_number' | 'config'> & {
  readonly agent_name: string;
};

const configBytes = 'octet_length(config::text)';

@Injectable()
export class BuildsRepository {
  constructor(
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(Statements) private readonly statements: Statements,
  ) {}

  async insert(build: NewBuild): Promise<BuildEntity> {
    const [row] = await this.transactions.query<BuildEntity>(
      `INSERT INTO build (id, agent_id, team_id, name, revision_number, status, config, parent_build_id,
                          created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now(), now()) RETURNING *`,
      [
        build.id,
        build.agent_id,
        build.team_id,
        build.name,
        build.revision_number,
        build.status,
        JSON.stringify(build.config),
        build.parent_build_id,
      ],
    );
    return row!;
  }

  /** A build of an agent that is still there. */
  async find(teamId: string, buildId: string): Promise<BuildEntity | undefined> {
    const [row] = await this.statements.read<BuildEntity>(
      `SELECT build.* FROM build JOIN agent ON agent.id = build.agent_id
        WHERE build.id = $2 AND build.team_id = $1 AND agent.deleted_at IS NULL`,
      [teamId, buildId],
    );
    return row;
  }

  /** For each wanted agent its live build, or the build named; null where there is none for that team. */
  async resolve(
    wanted: readonly { team_id: string; agent_id: string; build_id?: string }[],
  ): Promise<(ResolvedBuild | null)[]> {
    const rows = await this.statements.read<ResolvedBuild & { place: number }>(
      `SELECT wanted.place, agent.name AS agent_name, build.id, build.agent_id, build.name,
              build.revision_number, build.config
         FROM jsonb_to_recordset($1::jsonb) AS wanted(place int, team_id uuid, agent_id uuid, build_id uuid)
         JOIN agent ON agent.id = wanted.agent_id AND agent.team_id = wanted.team_id AND agent.deleted_at IS NULL
         JOIN build ON build.id = coalesce(wanted.build_id, agent.live_build_id) AND build.agent_id = agent.id`,
      [JSON.stringify(wanted.map((item, place) => ({ ...item, place })))],
    );
    const byPlace = new Map(rows.map((row) => [row.place, row]));
    return wanted.map((_, place) => byPlace.get(place) ?? null);
  }

  /** As it is now, inside the transaction that changes it. */
  async reread(teamId: string, buildId: string): Promise<BuildEntity> {
    const [row] = await this.transactions.query<BuildEntity>(
      'SELECT * FROM build WHERE id = $2 AND team_id = $1 FOR UPDATE',
      [teamId, buildId],
    );
    return row!;
  }

  async list(teamId: string, agentId: string, page: PageRequest, total: number): Promise<Page<BuildEntity>> {
    const items = await this.transactions.query<BuildEntity>(
      withinPageBytes(
        `SELECT * FROM build WHERE agent_id = $2 AND team_id = $1
          ORDER BY revision_number DESC LIMIT $3 OFFSET $4`,
        { order: 'revision_number DESC', bytes: configBytes },
      ),
      [teamId, agentId, page.limit, page.offset],
    );
    return { items, total, ...page };
  }

  /** The newest build of each agent; of the first ones only, where they are too large for a page. */
  async latest(teamId: string, agentIds: readonly string[]): Promise<Map<string, BuildEntity>> {
    const rows = await this.transactions.query<BuildEntity>(
      withinPageBytes(
        `SELECT place, build.* FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, place)
           CROSS JOIN LATERAL (SELECT * FROM build WHERE agent_id = wanted.id AND team_id = $1
                                ORDER BY revision_number DESC LIMIT 1) AS build`,
        { order: 'place', bytes: configBytes },
      ),
      [teamId, agentIds],
    );
    return new Map(rows.map((row) => [row.agent_id, row]));
  }

  async updateDraft(
    teamId: string,
    buildId: string,
    changes: { name?: string; config?: BuildConfig },
  ): Promise<BuildEntity | undefined> {
    const [row] = await this.transactions.query<BuildEntity>(
      `UPDATE build SET name = coalesce($3, name), config = coalesce($4, config), updated_at = now()
        WHERE id = $2 AND team_id = $1 AND status = 'draft' RETURNING *`,
      [teamId, buildId, changes.name, changes.config === undefined ? null : JSON.stringify(changes.config)],
    );
    return row;
  }

  /** The live build becomes historic; the index allows the next one only then. */
  async retire(teamId: string, buildId: string): Promise<void> {
    await this.transactions.query(
      `UPDATE build SET status = 'historic', updated_at = now() WHERE id = $2 AND team_id = $1`,
      [teamId, buildId],
    );
  }

  async publish(
    teamId: string,
    buildId: string,
    labels: { name?: string; description?: string; previousBuildId?: string },
  ): Promise<BuildEntity> {
    const [row] = await this.transactions.query<BuildEntity>(
      `UPDATE build SET status = 'live', updated_at = now(),
              revision_name = coalesce($3, revision_name),
              revision_description = coalesce($4, revision_description),
              previous_live_build_id = coalesce($5, previous_live_build_id)
        WHERE id = $2 AND team_id = $1 RETURNING *`,
      [teamId, buildId, labels.name, labels.description, labels.previousBuildId],
    );
    return row!;
  }
}
