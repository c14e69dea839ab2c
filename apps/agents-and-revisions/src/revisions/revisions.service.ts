import { AppError, buildPublished, notFound, type BuildConfig } from '@aos/contracts';
import { Outbox } from '@aos/events';
import { newId, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { AgentsRepository } from '../agents/agents.repository.js';
import type { AgentEntity } from '../agents/agent.entity.js';
import { BuilderActivity } from '../builder-runs/builder-activity.js';
import { RubricsRepository } from '../rubrics/rubrics.repository.js';
import type { BuildEntity } from '../builds/build.entity.js';
import { BuildsRepository, type BuildChanges } from '../builds/builds.repository.js';

export interface PromoteRequest {
  readonly revision_name?: string;
  readonly revision_description?: string;
  /** Why the gate lets nothing through that is not live already. */
  readonly refusal?: AppError;
}

@Injectable()
export class RevisionsService {
  constructor(
    private readonly revisions: BuildsRepository,
    private readonly agents: AgentsRepository,
    private readonly rubrics: RubricsRepository,
    private readonly builders: BuilderActivity,
    private readonly outbox: Outbox,
  ) {}

  async get(teamId: string, buildId: string): Promise<BuildEntity> {
    const build = await this.revisions.find(teamId, buildId);
    if (!build) throw notFound('The revision');
    return build;
  }

  async getOfAgent(teamId: string, agentId: string, buildId: string): Promise<BuildEntity> {
    const build = await this.get(teamId, buildId);
    if (build.agent_id !== agentId) throw notFound('The revision');
    return build;
  }

  async list(teamId: string, agentId: string, page: PageRequest): Promise<Page<BuildEntity>> {
    const agent = await this.agents.find(teamId, agentId);
    if (!agent) throw notFound('The agent');
    return this.revisions.list(teamId, agentId, page, agent.last_revision_number);
  }

  /** A draft: a copy of the source, or of the live build, with its rubrics. */
  async createDraft(
    teamId: string,
    agentId: string,
    wanted: { name?: string; config?: BuildConfig; sourceBuildId?: string },
  ): Promise<BuildEntity> {
    const agent = await this.lockAgent(teamId, agentId);
    const source = await this.getOfAgent(teamId, agentId, wanted.sourceBuildId ?? agent.live_build_id);
    const draft = await this.revisions.insert({
      id: newId(),
      agent_id: agentId,
      team_id: teamId,
      name: wanted.name ?? source.name,
      revision_number: await this.agents.nextRevisionNumber(agent),
      status: 'draft',
      config: wanted.config ?? source.config,
      parent_build_id: source.id,
    });
    await this.rubrics.copy(teamId, source.id, draft.id);
    return draft;
  }

  /** The labels of any build; what it does is changed in a draft only. */
  async update(teamId: string, buildId: string, changes: BuildChanges): Promise<BuildEntity> {
    await this.get(teamId, buildId);
    const build = await this.revisions.update(teamId, buildId, changes);
    if (!build)
      throw new AppError(
        'invalid_state',
        'Name and config can be changed in a draft only; create a revision from it.',
      );
    return build;
  }

  /** Makes the build the live one. Promoting the live build changes nothing and records no event. */
  async promote(teamId: string, buildId: string, request: PromoteRequest): Promise<BuildEntity> {
    const { agent_id: agentId } = await this.get(teamId, buildId);
    const agent = await this.lockAgent(teamId, agentId);
    const build = await this.revisions.reread(teamId, buildId);
    if (build.status === 'live') return build;
    if (await this.builders.isBusy(teamId, buildId)) {
      throw new AppError('invalid_state', 'A builder run is working on this revision.');
    }
    if (request.refusal) throw request.refusal;
    return this.makeLive(agent, buildId, {
      name: request.revision_name,
      description: request.revision_description,
      previousBuildId: agent.live_build_id,
    });
  }

  /** Back to the build that was live before the present one was promoted. */
  async rollback(teamId: string, agentId: string): Promise<BuildEntity> {
    const agent = await this.lockAgent(teamId, agentId);
    const live = await this.revisions.reread(teamId, agent.live_build_id);
    if (live.previous_live_build_id === null) {
      throw new AppError('invalid_state', 'No other revision of this agent has been live before.');
    }
    return this.makeLive(agent, live.previous_live_build_id, {});
  }

  private async makeLive(
    agent: AgentEntity,
    buildId: string,
    labels: { name?: string; description?: string; previousBuildId?: string },
  ): Promise<BuildEntity> {
    await this.revisions.retire(agent.team_id, agent.live_build_id);
    const build = await this.revisions.publish(agent.team_id, buildId, labels);
    await this.agents.setLive(agent.id, build.id);
    await this.outbox.record({
      event: buildPublished,
      teamId: agent.team_id,
      data: { agent_id: agent.id, build_id: build.id, revision_number: build.revision_number },
    });
    return build;
  }

  private async lockAgent(teamId: string, agentId: string): Promise<AgentEntity> {
    const agent = await this.agents.lock(teamId, agentId);
    if (!agent) throw notFound('The agent');
    return agent;
  }
}
