import { z } from 'zod';
import { contractTable } from '../table/contract-table.js';
import { ignoredFields, refuseIgnored } from './ignored-fields.js';
import { createAgent } from '../operations/agents/agents.js';
import { createRevision } from '../operations/agents/revisions.js';
import { listRuns, startRun } from '../operations/runs/runs.js';
import type { Operation } from '../declarations/operation.js';

const paths = (operation: Operation, request: { query?: Record<string, unknown>; body?: unknown }) =>
  ignoredFields(operation, { query: {}, ...request }).map(({ path }) => path);

type JsonSchema = Record<string, unknown>;

/** A value that has every field that the document shows of a schema, at every level. */
function everyField(schema: JsonSchema, definitions: JsonSchema): unknown {
  const { $ref, properties, items, anyOf, oneOf, additionalProperties, enum: values } = schema;
  if (typeof $ref === 'string')
    return everyField(definitions[$ref.split('/').at(-1)!] as JsonSchema, definitions);
  const kinds = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (kinds)
    return everyField(
      kinds.find((kind) => kind['type'] !== 'null')!,
      definitions,
    );
  if (Array.isArray(values)) return values[0];
  if (properties)
    return Object.fromEntries(
      Object.entries(properties as object).map(([name, field]) => [
        name,
        everyField(field as JsonSchema, definitions),
      ]),
    );
  if (items) return [everyField(items as JsonSchema, definitions)];
  if (additionalProperties && typeof additionalProperties === 'object')
    return { any: everyField(additionalProperties as JsonSchema, definitions) };
  return 'text';
}

function wholeInput(schema: z.ZodType): unknown {
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return everyField(document, (document['$defs'] as JsonSchema) ?? {});
}

/** The same with one field more in every object. */
function misspelt(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(misspelt);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, misspelt(inner)]);
  return { ...Object.fromEntries(fields), zz_not_known: 1 };
}

describe('the fields that an operation ignores', () => {
  it.each(contractTable.operations.map((operation) => [operation.operationId, operation] as const))(
    'are none that %s declares, and any other',
    (_, operation) => {
      const query = wholeInput(operation.query) as Record<string, unknown>;
      const body = operation.takes === 'json' ? wholeInput(operation.body) : undefined;
      expect(paths(operation, { query, body })).toEqual([]);
      expect(paths(operation, { query: { ...query, zz_not_known: 1 } })).toEqual(['zz_not_known']);
      if (operation.kind !== 'rpc' && operation.takes === 'json')
        expect(paths(operation, { body: misspelt(body ?? {}) })).toContain('zz_not_known');
    },
  );

  it('are named by their path, with what was probably meant', () => {
    const body = {
      mesage: 'Hello',
      build: { config: { data: { models: { agent: { modle: 'x' } }, optoins: {}, subAgents: [] } } },
    };
    expect(ignoredFields(createAgent, { query: {}, body: { name: 'a', ...body } })).toEqual([
      { path: 'mesage', meant: undefined },
      { path: 'build.config.data.models.agent.modle', meant: 'model' },
      { path: 'build.config.data.optoins', meant: 'options' },
    ]);
    expect(ignoredFields(listRuns, { query: { limt: '3', agentId: 'x' }, body: undefined })).toEqual([
      { path: 'limt', meant: 'limit' },
      { path: 'agentId', meant: 'agent_id' },
    ]);
  });

  it('are none where any name is taken, or another name is', () => {
    const body = { agentId: 'a', callback_url: 'b', metadata: { anything: 'c' } };
    expect(paths(startRun, { body })).toEqual([]);
    expect(paths(createRevision, { body: { config: { data: { subAgents: [] } } } })).toEqual([]);
  });

  it('are found in a text or in messages, whichever is given', () => {
    const input = [{ role: 'system', content: 'Do it', nmae: 'x' }];
    expect(paths(createRevision, { body: { config: { data: { input } } } })).toEqual([
      'config.data.input.0.nmae',
    ]);
    expect(paths(createRevision, { body: { config: { data: { input: 'Do it' } } } })).toEqual([]);
  });

  it('are twenty at most', () => {
    const body = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`unknown_${index}`, 1]));
    expect(paths(startRun, { body })).toHaveLength(20);
  });

  it.each([null, 'text', [], 3])('are none of the body %j, which is refused elsewhere', (body) => {
    expect(paths(startRun, { body })).toEqual([]);
  });

  it('are refused together, with what was probably meant', () => {
    const ignored = ignoredFields(startRun, { query: { wiat: '1' }, body: { mesage: 'Hello' } });
    expect(() => refuseIgnored(ignored)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: 'wiat: is not known; mesage: is not known, did you mean message?',
      }),
    );
    expect(() => refuseIgnored([])).not.toThrow();
  });
});
