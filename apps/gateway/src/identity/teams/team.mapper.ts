import type { teamSchema } from '@aos/contracts';
import type { z } from 'zod';
import type { TeamEntity } from './team.entity.js';

export function toTeam(team: TeamEntity): z.input<typeof teamSchema> {
  return { id: team.id, name: team.name, plan: team.plan, created_at: team.created_at.toISOString() };
}
