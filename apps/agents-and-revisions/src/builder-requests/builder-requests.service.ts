import { answered, answerFaults } from '@aos/agent-runtime';
import { AppError, buildConfigSchema, notFound, type Answers } from '@aos/contracts';
import { newId } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { AgentsRepository } from '../agents/agents.repository.js';
import type { BuildEntity } from '../builds/build.entity.js';
import { BuildsRepository } from '../builds/builds.repository.js';
import { RevisionsService } from '../revisions/revisions.service.js';
import { BuilderRunDispatch } from '../builder-runs/builder-run-dispatch.js';
import type { BuilderRunEntity } from '../builder-runs/builder-run.entity.js';
import { BuilderRunsRepository } from '../builder-runs/builder-runs.repository.js';

export interface Decided {
  readonly build: BuildEntity;
  readonly run: BuilderRunEntity;
}

@Injectable()
export class BuilderRequestsService {
  constructor(
    private readonly builderRuns: BuilderRunsRepository,
    private readonly dispatch: BuilderRunDispatch,
    private readonly revisions: RevisionsService,
    private readonly builds: BuildsRepository,
    private readonly agents: AgentsRepository,
  ) {}

  async generate(teamId: string, buildId: string, prompt: string): Promise<BuilderRunEntity> {
    const build = await this.lockBuild(teamId, buildId);
    const run = await this.builderRuns.insert({
      id: newId(),
      team_id: teamId,
      agent_id: build.agent_id,
      build_id: buildId,
      prompt,
      checkpoint_config: build.config,
      job_id: newId(),
    });
    if (!run) throw new AppError('invalid_state', 'This revision has a builder run that has not ended.');
    this.dispatch.addAfterCommit(run);
    return run;
  }

  async get(teamId: string, builderRunId: string): Promise<BuilderRunEntity> {
    const run = await this.builderRuns.find(teamId, builderRunId);
    if (!run) throw notFound('The builder run');
    return run;
  }

  async latest(teamId: string, buildId: string): Promise<BuilderRunEntity> {
    await this.revisions.get(teamId, buildId);
    const run = await this.builderRuns.latest(teamId, buildId);
    if (!run) throw notFound('The builder run');
    return run;
  }

  async resume(teamId: string, builderRunId: string, answers: Answers): Promise<BuilderRunEntity> {
    const { status, pending_user_questions: pending } = await this.get(teamId, builderRunId);
    if (!pending)
      throw new AppError('invalid_state', `The builder run is ${status} and has no open questions.`);
    const faults = answerFaults(pending.questions, answers);
    if (faults.length > 0) throw new AppError('invalid_request', faults.join('; '));
    const given = answered(pending.questions, answers);
    const run = await this.builderRuns.resume(teamId, builderRunId, given, newId());
    if (!run) throw new AppError('invalid_state', 'The builder run was already answered.');
    this.dispatch.addAfterCommit(run);
    return run;
  }

  /** A draft takes the proposal; any other revision gets a draft child that has it. */
  async accept(teamId: string, buildId: string): Promise<Decided> {
    const { build, run } = await this.decide(teamId, buildId, 'accept');
    const config = buildConfigSchema.parse(run.proposed_config);
    const changed =
      build.status === 'draft'
        ? await this.revisions.update(teamId, buildId, { config })
        : await this.revisions.createDraft(teamId, build.agent_id, { config, sourceBuildId: buildId });
    return { build: changed, run };
  }

  async discard(teamId: string, buildId: string): Promise<Decided> {
    return this.decide(teamId, buildId, 'discard');
  }

  private async decide(teamId: string, buildId: string, decision: 'accept' | 'discard'): Promise<Decided> {
    const build = await this.lockBuild(teamId, buildId);
    const latest = await this.builderRuns.latest(teamId, buildId);
    const run = latest && (await this.builderRuns.decide(teamId, latest.id, decision));
    if (run) return { build, run };
    const state = latest ? `its latest builder run is ${latest.status}` : 'it has had no builder run';
    throw new AppError('invalid_state', `No proposal for this revision awaits review: ${state}.`);
  }

  /** The build as it is now. No other request publishes it or deletes its agent before the transaction has ended. */
  private async lockBuild(teamId: string, buildId: string): Promise<BuildEntity> {
    const { agent_id: agentId } = await this.revisions.get(teamId, buildId);
    if (!(await this.agents.lock(teamId, agentId))) throw notFound('The revision');
    return this.builds.reread(teamId, buildId);
  }
}
