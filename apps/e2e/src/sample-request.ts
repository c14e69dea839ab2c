import { randomUUID } from 'node:crypto';
import { createApiKey, createOAuthClient, pathParams, type Operation } from '@aos/contracts';
import { createWidget } from '@aos/testing';
import { z } from 'zod';
import type { CallOptions } from './api-client.js';
import { propertiesOf, sampleValue, type JsonSchema } from './sample-value.js';
import type { Team } from './team.js';

/** Makes something of a team and gives its id, for each name that a path parameter has. */
export const makers: Readonly<Record<string, (team: Team) => Promise<string>>> = {
  keyId: async (team) =>
    (await team.client.succeed<{ api_key_id: string }>(createApiKey, { params: { teamId: team.id } }))
      .api_key_id,
  clientId: async (team) =>
    (await team.client.succeed<{ client_id: string }>(createOAuthClient, { params: { teamId: team.id } }))
      .client_id,
  widgetId: async (team) => (await team.client.succeed<{ widget_id: string }>(createWidget)).widget_id,
};

/** Operations whose smallest valid request is not what their schemas alone give. */
const richer: Readonly<Record<string, CallOptions>> = {};

/** A valid request whose ids name nothing but the team. */
export function sampleRequest(operation: Operation, teamId: string): CallOptions {
  const params = Object.fromEntries(
    Object.entries(propertiesOf(inputSchema(operation.params))).map(([name, schema]) => [
      name,
      name === 'teamId' ? teamId : sampleSegment(schema),
    ]),
  );
  const body = operation.hasBody ? sampleValue(bodySchema(operation)) : undefined;
  return { params, body, ...richer[operation.operationId] };
}

function sampleSegment(schema: JsonSchema): string {
  return schema['format'] === 'uuid' ? randomUUID() : encodeURIComponent(String(sampleValue(schema)));
}

/** A valid request whose ids name things that the team has. */
export async function workingRequest(operation: Operation, team: Team): Promise<CallOptions> {
  const sample = sampleRequest(operation, team.id);
  const params: Record<string, string> = { ...sample.params };
  for (const name of idsBeyondTeam(operation)) params[name] = await makerOf(name)(team);
  return { ...sample, params };
}

export function makerOf(name: string): (team: Team) => Promise<string> {
  const maker = makers[name];
  if (!maker) throw new Error(`Nothing makes a ${name}: add it to the makers in sample-request.ts`);
  return maker;
}

export function idsBeyondTeam(operation: Operation): string[] {
  return pathParams(operation.path).filter((name) => name !== 'teamId');
}

export function bodySchema(operation: Operation): JsonSchema {
  return inputSchema(operation.body);
}

export function querySchema(operation: Operation): JsonSchema {
  return inputSchema(operation.query);
}

function inputSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}
