import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, idSchema, listOf, pageQuery, timestampSchema } from '../../schemas/common.js';
import { planNameSchema } from '../../plans.js';
import { issuedApiKeySchema } from './api-keys.js';
import { named } from '../../schemas/named.js';

export const teamSchema = named(
  'Team',
  z.object({
    id: idSchema,
    name: z.string(),
    plan: z.string(),
    created_at: timestampSchema,
  }),
);

export const listTeams = defineOperation({
  operationId: 'listTeams',
  method: 'GET',
  path: '/v2/teams',
  tag: 'Teams',
  summary: 'List teams',
  description: "The credential's own team; with the platform admin key, all teams.",
  owner: 'gateway',
  scope: 'team:read',
  access: 'any',
  query: z.object({ ...pageQuery() }),
  status: 200,
  response: listOf('teams', teamSchema),
});

export const createTeam = defineOperation({
  operationId: 'createTeam',
  method: 'POST',
  path: '/v2/teams',
  tag: 'Teams',
  summary: 'Create a team and its first API key',
  description: 'Needs the platform admin key. The key of the team is shown in this answer only.',
  owner: 'gateway',
  scope: 'team:admin',
  access: 'admin',
  body: z.object({ name: z.string().trim().min(1).max(200).default('Untitled team') }),
  status: 201,
  response: z.object({ team_id: idSchema, team: teamSchema, api_key: issuedApiKeySchema }),
  disclosesSecret: true,
});

export const getTeam = defineOperation({
  operationId: 'getTeam',
  method: 'GET',
  path: '/v2/teams/{teamId}',
  tag: 'Teams',
  summary: 'Get a team',
  owner: 'gateway',
  scope: 'team:read',
  params: idParams('teamId'),
  status: 200,
  response: z.object({ team_id: idSchema, team: teamSchema }),
});

export const setTeamPlan = defineOperation({
  operationId: 'setTeamPlan',
  method: 'PUT',
  path: '/v2/teams/{teamId}/plan',
  tag: 'Teams',
  summary: 'Set the plan of a team',
  description:
    'Needs the platform admin key. It holds everywhere within a few seconds; what a team has beyond its new limits stays.',
  owner: 'gateway',
  scope: 'team:admin',
  access: 'admin',
  params: idParams('teamId'),
  body: z.object({ plan: planNameSchema }),
  status: 200,
  response: z.object({ team_id: idSchema, team: teamSchema }),
});
