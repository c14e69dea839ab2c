import type { AnsweredQuestion } from '@aos/agent-runtime';
import { PreparedStatements, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { endsOf } from './builder-run-state.js';
import { BuilderRunEntity } from './builder-run.entity.js';
import { decideBuilderRun, findBuilderRun, insertBuilderRun, resumeBuilderRun } from './builder-runs.sql.js';

type NewBuilderRun = Pick<
  BuilderRunEntity,
  'id' | 'team_id' | 'agent_id' | 'build_id' | 'prompt' | 'checkpoint_config' | 'job_id'
>;

/** Builder runs as people see them. What workers write is in `BuilderRunLeases`. */
@Injectable()
export class BuilderRunsRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
  ) {}

  /** Undefined if the build has one that is not completed, discarded or failed. */
  async insert(run: NewBuilderRun): Promise<BuilderRunEntity | undefined> {
    const [row] = await this.transactions.query<BuilderRunEntity>(insertBuilderRun, [
      run.id,
      run.team_id,
      run.agent_id,
      run.build_id,
      run.prompt,
      JSON.stringify(run.checkpoint_config),
      run.job_id,
    ]);
    return row;
  }

  /** A builder run of an agent that is still there. */
  async find(teamId: string, builderRunId: string): Promise<BuilderRunEntity | undefined> {
    const [row] = await this.statements.read<BuilderRunEntity>(findBuilderRun, [teamId, builderRunId]);
    return row;
  }

  async latest(teamId: string, buildId: string): Promise<BuilderRunEntity | undefined> {
    const latest = await this.transactions.repository(BuilderRunEntity).findOne({
      where: { build_id: buildId, team_id: teamId },
      order: { created_at: 'DESC', id: 'DESC' },
    });
    return latest ?? undefined;
  }

  /** The worker goes on where it asked. Undefined unless it waits. */
  async resume(
    teamId: string,
    builderRunId: string,
    answers: readonly AnsweredQuestion[],
    jobId: string,
  ): Promise<BuilderRunEntity | undefined> {
    const { from, to } = endsOf('resume');
    const [row] = await this.transactions.query<BuilderRunEntity>(resumeBuilderRun, [
      teamId,
      builderRunId,
      from,
      to,
      JSON.stringify(answers),
      jobId,
    ]);
    return row;
  }

  /** Undefined unless it awaits review. */
  async decide(
    teamId: string,
    builderRunId: string,
    decision: 'accept' | 'discard',
  ): Promise<BuilderRunEntity | undefined> {
    const { from, to } = endsOf(decision);
    const [row] = await this.transactions.query<BuilderRunEntity>(decideBuilderRun, [
      teamId,
      builderRunId,
      from,
      to,
    ]);
    return row;
  }
}
