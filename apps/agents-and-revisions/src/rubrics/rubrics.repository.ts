import { newId, PreparedStatements, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { RubricEntity, type Severity } from './rubric.entity.js';
import { rubricsOfBuilds } from './rubrics.sql.js';

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
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
  ) {}

  async ofBuild(teamId: string, buildId: string): Promise<RubricEntity[]> {
    return this.rows.find({
      where: { build_id: buildId, team_id: teamId },
      order: { sort_order: 'ASC', id: 'ASC' },
    });
  }

  /** The rubrics of each of many builds, in the order in which they are asked for. */
  async ofBuilds(
    wanted: readonly { readonly team_id: string; readonly build_id: string }[],
  ): Promise<RubricEntity[][]> {
    const rows = await this.statements.read<RubricEntity & { place: number }>(rubricsOfBuilds, [
      JSON.stringify(wanted.map((item, place) => ({ ...item, place }))),
    ]);
    const found: RubricEntity[][] = wanted.map(() => []);
    for (const { place, ...rubric } of rows) found[place]!.push(rubric);
    return found;
  }

  async find(teamId: string, rubricId: string): Promise<RubricEntity | undefined> {
    return (await this.rows.findOneBy({ id: rubricId, team_id: teamId })) ?? undefined;
  }

  /** Gives them as they are stored, in the order of the list. */
  async insert(teamId: string, buildId: string, rubrics: readonly NewRubric[]): Promise<RubricEntity[]> {
    const rows = rubrics.map(({ slug, title, description, severity, sort_order }) => ({
      id: newId(),
      team_id: teamId,
      build_id: buildId,
      slug,
      title,
      description,
      severity,
      sort_order,
      version: 1,
      created_at: () => 'now()',
      updated_at: () => 'now()',
    }));
    await this.rows.insert(rows);
    return this.rows.find({
      where: { id: In(rows.map(({ id }) => id)), team_id: teamId },
      order: { sort_order: 'ASC', id: 'ASC' },
    });
  }

  async update(teamId: string, rubricId: string, changes: RubricChanges): Promise<RubricEntity> {
    const { title, description, severity, sort_order } = changes;
    const where = { id: rubricId, team_id: teamId };
    await this.rows.update(where, {
      title,
      description,
      severity,
      sort_order,
      version: () => 'version + 1',
      updated_at: () => 'now()',
    });
    return this.rows.findOneByOrFail(where);
  }

  async delete(teamId: string, rubricId: string): Promise<void> {
    await this.rows.delete({ id: rubricId, team_id: teamId });
  }

  async deleteOfBuild(teamId: string, buildId: string): Promise<void> {
    await this.rows.delete({ build_id: buildId, team_id: teamId });
  }

  /** A new revision is judged as the one it was made from. */
  async copy(teamId: string, fromBuildId: string, toBuildId: string): Promise<void> {
    const rubrics = await this.ofBuild(teamId, fromBuildId);
    if (rubrics.length > 0) await this.insert(teamId, toBuildId, rubrics);
  }

  private get rows(): Repository<RubricEntity> {
    return this.transactions.repository(RubricEntity);
  }
}
