import { randomUUID } from 'node:crypto';
import { pathParams, type Operation } from '@aos/contracts';
import { z } from 'zod';
import type { CallOptions } from './api-client.js';
import { formOf } from './sample-files.js';
import { makers, prepared } from './sample-things.js';
import { propertiesOf, sampleValue, type JsonSchema } from './sample-value.js';
import type { Product } from './stack.js';
import type { Team } from './team.js';

/** A valid request whose ids name nothing but the team. */
export function sampleRequest(operation: Operation, teamId: string): CallOptions {
  const params = Object.fromEntries(
    Object.entries(propertiesOf(inputSchema(operation.params))).map(([name, schema]) => [
      name,
      name === 'teamId' ? teamId : sampleSegment(schema),
    ]),
  );
  if (operation.takes === 'form') return { params, ...formOf('Hello', { path: 'hello.txt' }) };
  if (operation.takes === 'rows')
    return { params, rawBody: 'title\nHello', headers: { 'content-type': 'text/csv' } };
  if (operation.takes === 'bytes') return { params, rawBody: 'Hello' };
  const body = operation.hasBody ? sampleValue(bodySchema(operation)) : undefined;
  return { params, body };
}

function sampleSegment(schema: JsonSchema): string {
  return schema['format'] === 'uuid' ? randomUUID() : encodeURIComponent(String(sampleValue(schema)));
}

/** Requests that read change nothing: what one of a team was made with is good for the next. */
const readingRequests = new WeakMap<Team, Map<string, Promise<CallOptions>>>();

/** A valid request whose ids name things that the team has, in a state in which it succeeds. */
export async function workingRequest(
  operation: Operation,
  team: Team,
  product: Product,
): Promise<CallOptions> {
  if (operation.mutating || operation.access === 'link' || operation.kind === 'page')
    return makeRequest(operation, team, product);
  const known = readingRequests.get(team) ?? new Map<string, Promise<CallOptions>>();
  readingRequests.set(team, known);
  const request = known.get(operation.operationId) ?? makeRequest(operation, team, product);
  known.set(operation.operationId, request);
  return request;
}

async function makeRequest(
  operation: Operation,
  team: Team,
  { receiver, database, oauth }: Product,
): Promise<CallOptions> {
  const around = { receiverUrl: receiver.url(), database, oauth };
  const sample = sampleRequest(operation, team.id);
  const prepare = prepared[operation.operationId];
  if (prepare) return { ...sample, ...(await prepare(team, around)) };
  const params: Record<string, string> = { ...sample.params };
  for (const name of pathParams(operation.path)) {
    if (name !== 'teamId') params[name] = await makerOf(name)(team, params, around);
  }
  return { ...sample, params };
}

function makerOf(name: string): (typeof makers)[string] {
  const maker = makers[name];
  if (!maker) throw new Error(`Nothing makes a ${name}: add it to the makers in sample-things.ts`);
  return maker;
}

/** The ids in the path; a file's path is a name that the caller chooses, and providers are the same for all. */
export function idsBeyondTeam(operation: Operation): string[] {
  return pathParams(operation.path).filter((name) => !['teamId', 'path', 'provider'].includes(name));
}

export function bodySchema(operation: Operation): JsonSchema {
  return inputSchema(operation.body);
}

export function querySchema(operation: Operation): JsonSchema {
  return inputSchema(operation.query);
}

const inputSchemas = new WeakMap<z.ZodType, JsonSchema>();

function inputSchema(schema: z.ZodType): JsonSchema {
  const known = inputSchemas.get(schema);
  if (known) return known;
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  inputSchemas.set(schema, made);
  return made;
}
