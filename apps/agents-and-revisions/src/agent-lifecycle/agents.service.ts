import {
  agentDeleted,
  AppError,
  findCaseTriggers,
  maxAgentTools,
  notFound,
  type BuildConfig,
  type FoundCaseTrigger,
} from '@aos/contracts';
import { Entitlements } from '@aos/entitlements';
import { Outbox } from '@aos/events';
import { ServiceClient } from '@aos/messaging';
import { newId, type Page, type PageRequest } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { BuilderActivity } from '../builder-runs/builder-activity.js';
import type { BuildEntity } from '../builds/build.entity.js';
import { BuildsRepository } from '../builds/builds.repository.js';
import type { ScheduleEntity } from '../schedules/schedule.entity.js';
import { SchedulesRepository } from '../schedules/schedules.repository.js';
import type { AgentEntity } from '../agents/agent.entity.js';
import { AgentsRepository, type AgentChanges } from '../agents/agents.repository.js';

/** A list does not wait longer for what it can be without. */
const timeoutMs = 1_000;

export interface ListedAgent {
  readonly agent: AgentEntity;
  readonly latestBuild: BuildEntity;
  readonly schedules: readonly ScheduleEntity[] | undefined;
  /** By which it takes the cases of a queue; null where it takes none, undefined where nobody could tell. */
  readonly caseTrigger: FoundCaseTrigger | null | undefined;
}

@Injectable()
export class AgentsService {
  constructor(
    private readonly agents: AgentsRepository,
    private readonly revisions: BuildsRepository,
    private readonly schedules: SchedulesRepository,
    private readonly builders: BuilderActivity,
    private readonly entitlements: Entitlements,
    private readonly outbox: Outbox,
    private readonly services: ServiceClient,
    private readonly logger: Logger,
  ) {}

  /** An agent with a live first revision, so that a run can be started at once. */
  async create(
    teamId: string,
    wanted: {
      name: string;
      description?: string | null;
      agentic_memory_enabled: boolean;
      build: { name?: string; config: BuildConfig };
    },
  ): Promise<{ agent: AgentEntity; build: BuildEntity }> {
    await this.entitlements.assertRoom(teamId, 'agents', () => this.agents.countOf(teamId));
    const agentId = newId();
    const build = await this.revisions.insert({
      id: newId(),
      agent_id: agentId,
      team_id: teamId,
      name: wanted.build.name ?? wanted.name,
      revision_number: 1,
      status: 'live',
      config: wanted.build.config,
      parent_build_id: null,
    });
    const agent = await this.agents.insert({
      id: agentId,
      team_id: teamId,
      name: wanted.name,
      description: wanted.description ?? null,
      agentic_memory_enabled: wanted.agentic_memory_enabled,
      live_build_id: build.id,
    });
    return { agent, build };
  }

  /** How much of its plan a team uses here. */
  async planUse(teamId: string): Promise<{ agents: number; schedules_per_agent: number }> {
    return {
      agents: await this.agents.countOf(teamId),
      schedules_per_agent: await this.schedules.maxEnabled(teamId),
    };
  }

  async get(teamId: string, agentId: string): Promise<AgentEntity> {
    return found(await this.agents.find(teamId, agentId));
  }

  names(teamId: string): Promise<Pick<AgentEntity, 'id' | 'name' | 'description'>[]> {
    return this.agents.names(teamId, maxAgentTools);
  }

  async list(teamId: string, page: PageRequest, includeSchedules: boolean): Promise<Page<ListedAgent>> {
    const { items: wanted, ...rest } = await this.agents.list(teamId, page);
    const latest = await this.revisions.latest(
      teamId,
      wanted.map(({ id }) => id),
    );
    const items = wanted.filter(({ id }) => latest.has(id));
    const ids = items.map(({ id }) => id);
    const triggers = await this.caseTriggers(teamId, ids);
    const schedules = includeSchedules ? await this.schedules.ofAgents(teamId, ids) : undefined;
    return {
      ...rest,
      items: items.map((agent) => ({
        agent,
        latestBuild: latest.get(agent.id)!,
        schedules: schedules?.filter((schedule) => schedule.agent_id === agent.id),
        caseTrigger: triggers && (triggers.find((trigger) => trigger.agent_id === agent.id) ?? null),
      })),
    };
  }

  /** They belong to the run service, beside the queues. Agents are listed also while it is away. */
  private async caseTriggers(teamId: string, agentIds: string[]): Promise<FoundCaseTrigger[] | undefined> {
    if (agentIds.length === 0) return [];
    try {
      const request = { team_id: teamId, agent_ids: agentIds };
      return (await this.services.call(findCaseTriggers, request, { timeoutMs })).triggers;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.logger.warn({ err: error, team_id: teamId }, 'listing agents without their triggers');
      return undefined;
    }
  }

  async update(teamId: string, agentId: string, changes: AgentChanges): Promise<AgentEntity> {
    return found(await this.agents.update(teamId, agentId, changes));
  }

  /** Ended runs stay readable where they are; the run service stops the others when it hears of this. */
  async delete(teamId: string, agentId: string): Promise<{ schedulesDeleted: number }> {
    if (!(await this.agents.markDeleted(teamId, agentId))) throw notFound('The agent');
    await this.builders.endAll(teamId, agentId);
    const schedulesDeleted = await this.schedules.deleteAll(teamId, agentId);
    await this.outbox.record({ event: agentDeleted, teamId, data: { agent_id: agentId } });
    return { schedulesDeleted };
  }
}

function found(agent: AgentEntity | undefined): AgentEntity {
  if (!agent) throw notFound('The agent');
  return agent;
}
