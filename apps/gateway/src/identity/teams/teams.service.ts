import { defaultPlan, notFound, teamPlanSet, type PlanName, type Principal } from '@aos/contracts';
import { Outbox } from '@aos/events';
import { newId, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { ApiKeysService, type IssuedApiKey } from '../api-keys/api-keys.service.js';
import type { TeamEntity } from './team.entity.js';
import { TeamsRepository } from './teams.repository.js';

@Injectable()
export class TeamsService {
  constructor(
    private readonly teams: TeamsRepository,
    private readonly apiKeys: ApiKeysService,
    private readonly outbox: Outbox,
  ) {}

  /** A team and the key with which its first member makes all others. */
  async create(name: string): Promise<{ team: TeamEntity; apiKey: IssuedApiKey }> {
    const team = await this.teams.insert({ id: newId(), name, plan: defaultPlan });
    const apiKey = await this.apiKeys.issue(team.id, { name: 'First key', scopes: ['*'], expiresAt: null });
    return { team, apiKey };
  }

  async get(teamId: string): Promise<TeamEntity> {
    const team = await this.teams.find(teamId);
    if (!team) throw notFound();
    return team;
  }

  /** Inside a transaction: the services that hold a team to its plan hear of it by the event. */
  async setPlan(teamId: string, plan: PlanName): Promise<TeamEntity> {
    const team = await this.teams.setPlan(teamId, plan);
    if (!team) throw notFound('The team');
    await this.outbox.record({ event: teamPlanSet, teamId, data: { team_id: teamId, plan } });
    return team;
  }

  areSeveral(): Promise<boolean> {
    return this.teams.areSeveral();
  }

  async list(principal: Principal, page: PageRequest): Promise<Page<TeamEntity>> {
    if (principal.teamId === null) return this.teams.listAll(page);
    const team = await this.get(principal.teamId);
    return { items: page.offset === 0 ? [team] : [], total: 1, ...page };
  }
}
