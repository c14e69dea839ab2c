import type { Operation } from '@aos/contracts';
import type { Tool } from '@modelcontextprotocol/server';
import { toJsonSchema, type JsonSchema } from '../openapi/json-schema.js';
import { portable } from './portable-schema.js';

export type Place = 'params' | 'query' | 'body';

/** Maps an argument of a tool to its place in the request. */
export interface ArgumentPlace {
  readonly place: Place;
  readonly name: string;
}

export interface ToolInput {
  readonly schema: Tool['inputSchema'];
  readonly places: ReadonlyMap<string, ArgumentPlace>;
}

type Properties = Record<string, JsonSchema>;

/** The one parameter of paths that a caller may leave out: a credential has a team. */
export const teamParameter = 'teamId';

/**
 * Path, query and body of an operation as one object. A name that two of them have belongs to the path, then to the
 * query; the other is called `query_…` or `body_…`.
 */
export function toolInput(operation: Operation): ToolInput {
  const places = new Map<string, ArgumentPlace>();
  const properties: Properties = {};
  const required: string[] = [];
  const $defs: Properties = {};
  for (const place of ['params', 'query', 'body'] as const) {
    const json = rootOf(toJsonSchema(operation[place], 'input'));
    Object.assign($defs, json['$defs']);
    const needed = new Set((json['required'] ?? []) as string[]);
    for (const [name, schema] of Object.entries((json['properties'] ?? {}) as Properties)) {
      const argument = places.has(name) ? `${place}_${name}` : name;
      places.set(argument, { place, name });
      properties[argument] = name === teamParameter ? { ...schema, description: teamDescription } : schema;
      if (needed.has(name) && name !== teamParameter) required.push(argument);
    }
  }
  return {
    schema: portable({
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...definitions($defs),
    }) as Tool['inputSchema'],
    places,
  };
}

const teamDescription = 'The team of the credential, if it is left out';

/** The output schema, if the operation has an answer. */
export function toolOutput({ status, response }: Operation): Tool['outputSchema'] {
  if (status === 204) return undefined;
  return portable(rootOf(toJsonSchema(response, 'output'))) as Tool['outputSchema'];
}

/** A schema that has a name is only referred to at its root; a tool's must be an object there. */
function rootOf(json: JsonSchema): JsonSchema {
  const { $ref, $defs = {}, ...rest } = json as { $ref?: string; $defs?: Properties };
  const root = $ref === undefined ? rest : $defs[$ref.replace('#/$defs/', '')]!;
  return { ...root, ...definitions($defs) };
}

function definitions($defs: Properties): { $defs?: Properties } {
  return Object.keys($defs).length > 0 ? { $defs } : {};
}
