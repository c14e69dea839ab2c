import { defaultPlan, planOf, type Principal } from '@aos/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { TeamsRepository } from '../identity/teams/teams.repository.js';

interface Known {
  readonly limit: number;
  readonly readAt: number;
}

/** A plan holds everywhere within a few seconds. */
const freshForMs = 2_000;
const maxKnown = 10_000;

/** How many requests a minute a credential may make: as the plan of its team says, else as the installation does. */
@Injectable()
export class PlanRateLimits {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly teams: TeamsRepository,
    @Inject(GatewaySettings) private readonly config: Pick<GatewayConfig, 'RATE_LIMIT_PER_MINUTE'>,
  ) {}

  /** 0 is without a limit, which an installation says for all plans. */
  async of({ teamId }: Principal): Promise<number> {
    const { RATE_LIMIT_PER_MINUTE: limit } = this.config;
    if (limit === 0 || teamId === null) return limit;
    const known = this.known.get(teamId);
    if (known && Date.now() - known.readAt < freshForMs) return known.limit;
    return this.read(teamId);
  }

  private async read(teamId: string): Promise<number> {
    const plan = (await this.teams.find(teamId))?.plan ?? defaultPlan;
    const limit = planOf(plan).limits.rate_limit_per_minute ?? this.config.RATE_LIMIT_PER_MINUTE;
    this.known.delete(teamId);
    this.known.set(teamId, { limit, readAt: Date.now() });
    if (this.known.size > maxKnown) this.known.delete(this.known.keys().next().value!);
    return limit;
  }
}
