import { newId, Statements, Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { RubricEntity, Severity } from './rubric.entity.js';

export interface NewRubric {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly severity: Severity;
  readonly sort_order: number;
}

export type RubricChanges = Partial<Omit<NewRubric, 'slug'>>;

@Injectable()
export class RubricsRepository {
  constructor(
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(Statements) private readonly statements: Statements,
  ) {}

  async ofBuild(teamId: string, buildId: string): Promise<RubricEntity[]> {
    return this.transactions.query<RubricEntity>(
      'SELECT * FROM eval_rubric WHERE build_id = $2 AND team_id = $1 ORDER BY sort_order, id',
      [teamId, buildId],
    );
  }

  /** The rubrics of each of many builds, in the order in which they are asked for. */
  async ofBuilds(
    wanted: readonly { readonly team_id: string; readonly build_id: string }[],
  ): Promise<RubricEntity[][]> {
    const rows = await this.statements.read<RubricEntity & { place: number }>(
      `SELECT wanted.place, eval_rubric.*
         FROM jsonb_to_recordset($1::jsonb) AS wanted(place int, team_id uuid, build_id uuid)
         JOIN eval_rubric ON eval_rubric.build_id = wanted.build_id AND eval_rubric.team_id = wanted.team_id
        ORDER BY wanted.place, eval_rubric.sort_order, eval_rubric.id`,
      [JSON.stringify(wanted.map((item, place) => ({ ...item, place })))],
    );
    const found: RubricEntity[][] = wanted.map(() => []);
    for (const { place, ...rubric } of rows) found[place]!.push(rubric);
    return found;
  }

  /** A rubric of a build of this agent. */
  async find(teamId: string, agentId: string, rubricId: string): Promise<RubricEntity | undefined> {
    const [row] = await this.transactions.query<RubricEntity>(
      `SELECT eval_rubric.* FROM eval_rubric JOIN build ON build.id = eval_rubric.build_id
        WHERE eval_rubric.id = $3 AND eval_rubric.team_id = $1 AND build.agent_id = $2`,
      [teamId, agentId, rubricId],
    );
    return row;
  }

  async insert(teamId: string, buildId: string, rubrics: readonly NewRubric[]): Promise<RubricEntity[]> {
    const rows = rubrics.map((rubric) => ({ id: newId(), ...rubric }));
    return this.transactions.query<RubricEntity>(
      `INSERT INTO eval_rubric (id, team_id, build_id, slug, title, description, severity, sort_order, version,
                                created_at, updated_at)
       SELECT id, $1, $2, slug, title, description, severity, sort_order, 1, now(), now()
         FROM jsonb_to_recordset($3::jsonb)
           AS r(id uuid, slug text, title text, description text, severity text, sort_order integer)
       RETURNING *`,
      [teamId, buildId, JSON.stringify(rows)],
    );
  }

  async update(teamId: string, rubricId: string, changes: RubricChanges): Promise<RubricEntity> {
    const [row] = await this.transactions.query<RubricEntity>(
      `UPDATE eval_rubric SET title = coalesce($3, title), description = coalesce($4, description),
              severity = coalesce($5, severity), sort_order = coalesce($6, sort_order),
              version = version + 1, updated_at = now()
        WHERE id = $2 AND team_id = $1 RETURNING *`,
      [teamId, rubricId, changes.title, changes.description, changes.severity, changes.sort_order],
    );
    return row!;
  }

  async delete(teamId: string, rubricId: string): Promise<void> {
    await this.transactions.query('DELETE FROM eval_rubric WHERE id = $2 AND team_id = $1', [
      teamId,
      rubricId,
    ]);
  }

  async deleteOfBuild(teamId: string, buildId: string): Promise<void> {
    await this.transactions.query('DELETE FROM eval_rubric WHERE build_id = $2 AND team_id = $1', [
      teamId,
      buildId,
    ]);
  }

  /** A new revision is judged as the one it was made from. */
  async copy(teamId: string, fromBuildId: string, toBuildId: string): Promise<void> {
    const rubrics = await this.ofBuild(teamId, fromBuildId);
    if (rubrics.length > 0) await this.insert(teamId, toBuildId, rubrics.map(withoutIdentity));
  }
}

function withoutIdentity({ slug, title, description, severity, sort_order }: RubricEntity): NewRubric {
  return { slug, title, description, severity, sort_order };
}
