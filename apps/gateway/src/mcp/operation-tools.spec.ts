import { defineOperation, idParams, operations } from '@aos/contracts';
import { z } from 'zod';
import { isTool, operationTools, type OperationTool } from './operation-tools.js';
import { requestOf, teamIn } from './tool-arguments.js';

const teamId = '0190a0b0-0000-7000-8000-000000000000';

/** The same name in the path, the query and the body. */
const clashing = defineOperation({
  operationId: 'moveThing',
  method: 'POST',
  path: '/v2/teams/{teamId}/things/{thing}',
  tag: 'Teams',
  summary: 'Move a thing',
  owner: 'gateway',
  scope: 'team:admin',
  params: idParams('teamId').extend({ thing: z.string() }),
  query: z.object({ thing: z.string().optional(), dry_run: z.boolean().optional() }),
  body: z.object({ thing: z.string(), note: z.string().nullable().optional() }),
  status: 200,
  response: z.object({ done: z.boolean() }),
});

function toolOf(operation = clashing): OperationTool {
  return [...operationTools([operation]).values()][0]!;
}

const constraining = [
  'type',
  'enum',
  'const',
  '$ref',
  'anyOf',
  'oneOf',
  'allOf',
  'properties',
  'items',
  'not',
];

/** Places of a schema that the MCP Inspector 2.12 warns of: several types, none, a bare boolean, a schema elsewhere. */
function unportable(schema: unknown, path = '', mayBeBoolean = false): string[] {
  if (typeof schema === 'boolean') return mayBeBoolean ? [] : [path];
  if (typeof schema !== 'object' || schema === null) return [];
  const fields = schema as Record<string, unknown>;
  const { type, $ref: reference = '#' } = fields;
  const isFaulty =
    Array.isArray(type) ||
    !(reference as string).startsWith('#') ||
    !constraining.some((key) => key in fields);
  const found = isFaulty ? [path] : [];
  for (const key of ['properties', 'patternProperties', '$defs'])
    for (const [name, inner] of Object.entries(fields[key] ?? {}))
      found.push(...unportable(inner, `${path}.${name}`));
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'])
    for (const inner of (fields[key] as unknown[] | undefined) ?? []) found.push(...unportable(inner, path));
  for (const key of ['items', 'additionalProperties', 'propertyNames', 'contains', 'not'])
    found.push(...unportable(fields[key], `${path}.${key}`, key === 'additionalProperties'));
  return found;
}

describe('operations as tools', () => {
  const tools = [...operationTools(operations).values()];

  it('are all that take and answer JSON and disclose no secret, for callers with a credential', () => {
    expect(tools.map(({ operation }) => operation)).toEqual(operations.filter(isTool));
    for (const { kind, takes, access, disclosesSecret } of operations.filter((one) => !isTool(one))) {
      const reasons = [
        kind !== 'json',
        takes !== 'json',
        access === 'link',
        access === 'open',
        disclosesSecret,
      ];
      expect(reasons).toContain(true);
    }
  });

  it('take at most 100 kB together, without what they answer', () => {
    const bytes = Buffer.byteLength(JSON.stringify(tools.map(({ definition }) => definition)));
    expect(bytes).toBeLessThanOrEqual(100_000);
  });

  it.each(tools.map((tool) => [tool.definition.name, tool] as const))(
    '%s: clients with plain schemas can use it',
    (_, { definition, outputSchema }) => {
      expect(unportable(definition.inputSchema)).toEqual([]);
      if (outputSchema) expect(unportable(outputSchema)).toEqual([]);
    },
  );

  it.each([
    [{ type: ['string', 'null'] }],
    [{}],
    [true],
    [{ $ref: 'https://example.com/schema' }],
    [{ type: 'object', properties: { any: true } }],
    [{ type: 'array', items: {} }],
  ])('%j is found to be a fault', (schema) => expect(unportable(schema)).toHaveLength(1));

  it('answer with no key and no secret', () => {
    const names = operations
      .filter(({ disclosesSecret }) => disclosesSecret)
      .map(({ operationId }) => operationId);
    expect(names.sort()).toEqual([
      'createApiKey',
      'createOAuthClient',
      'createTeam',
      'getWebhookSecret',
      'rotateWebhookSecret',
    ]);
    for (const { outputSchema } of tools) {
      const text = JSON.stringify(outputSchema ?? {});
      // Marked are also signed addresses, which are what their operations are for.
      const marked = [...text.matchAll(/"(\w+)":\{[^{}]*"x-secret":true/g)].map((match) => match[1]!);
      expect(marked.filter((field) => !/(url|state)$/.test(field))).toEqual([]);
    }
  });

  it.each(tools.map((tool) => [tool.definition.name, tool] as const))(
    '%s: its schemas are objects that stand alone',
    (_, { definition, operation, outputSchema }) => {
      expect(definition.inputSchema.type).toBe('object');
      if (operation.status !== 204) expect(outputSchema).toMatchObject({ type: 'object' });
      for (const schema of [definition.inputSchema, outputSchema]) {
        const text = JSON.stringify(schema ?? {});
        const referred = [...text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map((match) => match[1]!);
        const defined = Object.keys((schema as { $defs?: object } | undefined)?.$defs ?? {});
        expect(defined).toEqual(expect.arrayContaining(referred));
        expect(text).not.toContain('#/components');
      }
      expect(definition.inputSchema.required ?? []).not.toContain('teamId');
    },
  );
});

describe('a name that path, query and body share', () => {
  it('belongs to the path; the others say where they belong', () => {
    expect(toolOf().definition.inputSchema).toMatchObject({
      properties: { teamId: {}, thing: {}, query_thing: {}, dry_run: {}, body_thing: {}, note: {} },
      required: ['thing', 'body_thing'],
    });
    const given = { thing: 'a', query_thing: 'b', body_thing: 'c', dry_run: true, note: null };
    expect(requestOf(toolOf(), given, teamId)).toEqual({
      params: { teamId, thing: 'a' },
      query: { thing: 'b', dry_run: true },
      body: { thing: 'c', note: null },
    });
  });
});

describe('the arguments of a call', () => {
  it('that the operation does not know are refused, under any name', () => {
    const given = JSON.parse('{"thing":"a","nota":1,"__proto__":{"polluted":true}}') as object;
    expect(() => requestOf(toolOf(), given as Record<string, unknown>, teamId)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: 'nota: is not known, did you mean note?; __proto__: is not known',
      }),
    );
  });

  it.each([
    [{}, 'thing: is required'],
    [{ thing: null }, 'thing: is required'],
    [{ thing: 7 }, 'thing: must be a string'],
    [{ thing: 'a', teamId: [] }, 'teamId: must be a string'],
  ])('%j are refused: %s', (given, message) => {
    expect(() => requestOf(toolOf(), given, teamId)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message }),
    );
  });

  it('name a team, or stand for that of the credential', () => {
    expect(teamIn(toolOf(), { thing: 'a' })).toBeUndefined();
    expect(teamIn(toolOf(), { thing: 'a', teamId: null })).toBeUndefined();
    expect(teamIn(toolOf(), { teamId: 'other' })).toBe('other');
    expect(requestOf(toolOf(), { thing: 'a', teamId: 'other' }, teamId).params).toMatchObject({
      teamId: 'other',
    });
  });
});
