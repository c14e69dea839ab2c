import { AppError, maxRubricsOfBuild, notFound } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { AgentsRepository } from '../agents/agents.repository.js';
import { BuildsRepository } from '../builds/builds.repository.js';
import type { RubricEntity, Severity } from './rubric.entity.js';
import { rubricSlug } from './rubric-slug.js';
import { RubricsRepository, type NewRubric, type RubricChanges } from './rubrics.repository.js';

export interface WantedRubric {
  readonly title: string;
  readonly description: string;
  readonly severity: Severity;
  readonly sort_order?: number;
}

@Injectable()
export class RubricsService {
  constructor(
    private readonly rubrics: RubricsRepository,
    private readonly builds: BuildsRepository,
    private readonly agents: AgentsRepository,
  ) {}

  async list(teamId: string, agentId: string, buildId: string | undefined): Promise<RubricEntity[]> {
    return this.rubrics.ofBuild(teamId, await this.buildOf(teamId, agentId, buildId));
  }

  /** As they are now, for the run service, which judges runs of these builds. */
  ofBuilds(wanted: readonly { team_id: string; build_id: string }[]): Promise<RubricEntity[][]> {
    return this.rubrics.ofBuilds(wanted);
  }

  async create(
    teamId: string,
    agentId: string,
    buildId: string | undefined,
    wanted: WantedRubric,
  ): Promise<RubricEntity> {
    const build = await this.lockBuild(teamId, agentId, buildId);
    const present = await this.rubrics.ofBuild(teamId, build);
    assertRoom(present.length + 1);
    const slugs = present.map(({ slug }) => slug);
    const [rubric] = await this.rubrics.insert(teamId, build, named([wanted], slugs, present.length));
    return rubric!;
  }

  /** The whole set at once; what was there is gone. */
  async replace(
    teamId: string,
    agentId: string,
    buildId: string | undefined,
    wanted: readonly WantedRubric[],
  ): Promise<RubricEntity[]> {
    const build = await this.lockBuild(teamId, agentId, buildId);
    assertRoom(wanted.length);
    await this.rubrics.deleteOfBuild(teamId, build);
    if (wanted.length > 0) await this.rubrics.insert(teamId, build, named(wanted, [], 0));
    return this.rubrics.ofBuild(teamId, build);
  }

  async update(
    teamId: string,
    agentId: string,
    rubricId: string,
    changes: RubricChanges,
  ): Promise<RubricEntity> {
    await this.find(teamId, agentId, rubricId);
    return this.rubrics.update(teamId, rubricId, changes);
  }

  async delete(teamId: string, agentId: string, rubricId: string): Promise<void> {
    await this.find(teamId, agentId, rubricId);
    await this.rubrics.delete(teamId, rubricId);
  }

  private async find(teamId: string, agentId: string, rubricId: string): Promise<RubricEntity> {
    const rubric = await this.rubrics.find(teamId, rubricId);
    const build = rubric && (await this.builds.find(teamId, rubric.build_id));
    if (build?.agent_id !== agentId) throw notFound('The rubric');
    return rubric!;
  }

  /** The named build of the agent, by default its live one. */
  private async buildOf(teamId: string, agentId: string, buildId: string | undefined): Promise<string> {
    const agent = await this.agents.find(teamId, agentId);
    if (!agent) throw notFound('The agent');
    if (buildId === undefined || buildId === agent.live_build_id) return agent.live_build_id;
    const build = await this.builds.find(teamId, buildId);
    if (build?.agent_id !== agentId) throw notFound('The revision');
    return buildId;
  }

  /** So that rubrics added at the same time are counted one after the other. */
  private async lockBuild(teamId: string, agentId: string, buildId: string | undefined): Promise<string> {
    const build = await this.buildOf(teamId, agentId, buildId);
    await this.builds.reread(teamId, build);
    return build;
  }
}

function assertRoom(count: number): void {
  if (count > maxRubricsOfBuild) {
    throw new AppError('limit_reached', `A revision has at most ${maxRubricsOfBuild} rubrics.`);
  }
}

function named(wanted: readonly WantedRubric[], taken: readonly string[], first: number): NewRubric[] {
  const slugs = [...taken];
  return wanted.map((rubric, index) => {
    const slug = rubricSlug(rubric.title, slugs);
    slugs.push(slug);
    return { ...rubric, slug, sort_order: rubric.sort_order ?? first + index };
  });
}
