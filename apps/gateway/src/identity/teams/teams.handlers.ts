import { createTeam, getTeam, hasSeveralTeams, listTeams, setTeamPlan, type Req } from '@aos/contracts';
import { Handles, HandlesInternal } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { toIssuedApiKey } from '../api-keys/api-key.mapper.js';
import { toTeam } from './team.mapper.js';
import { TeamsService } from './teams.service.js';

@Controller()
export class TeamsHandlers {
  constructor(private readonly teams: TeamsService) {}

  @Handles(listTeams)
  async listTeams({ principal, query }: Req<typeof listTeams>) {
    return listAnswer('teams', await this.teams.list(principal, query), toTeam);
  }

  @Handles(createTeam)
  async createTeam({ body }: Req<typeof createTeam>) {
    const { team, apiKey } = await this.teams.create(body.name);
    return { team_id: team.id, team: toTeam(team), api_key: toIssuedApiKey(apiKey) };
  }

  @Handles(getTeam)
  async getTeam({ params }: Req<typeof getTeam>) {
    const team = await this.teams.get(params.teamId);
    return { team_id: team.id, team: toTeam(team) };
  }

  @Handles(setTeamPlan)
  async setTeamPlan({ params, body }: Req<typeof setTeamPlan>) {
    const team = await this.teams.setPlan(params.teamId, body.plan);
    return { team_id: team.id, team: toTeam(team) };
  }

  @HandlesInternal(hasSeveralTeams)
  async hasSeveralTeams() {
    return { several: await this.teams.areSeveral() };
  }
}
