import { z } from 'zod';
import { AppError } from '../errors.js';
import { operations } from '../operations/index.js';
import type { Operation } from '../declarations/operation.js';
import { parseRequest } from './parse-request.js';

type Json = Record<string, unknown>;

interface Field {
  readonly path: readonly string[];
  readonly required: boolean;
  readonly nullable: boolean;
}

/** An entry of an object whose keys are the caller's. */
const anyKey = 'any_key';

/** Every field at any depth and in every form that is taken; `0` stands for an item of a list. */
function fieldsOf(schema: Json, path: readonly string[] = []): Field[] {
  const required = (schema['required'] ?? []) as string[];
  const items = schema['items'] as Json | undefined;
  const entries = schema['additionalProperties'] as Json | boolean | undefined;
  return [
    ...(items ? fieldsOf(items, [...path, '0']) : []),
    ...((schema['anyOf'] ?? []) as Json[]).flatMap((form) => fieldsOf(form, path)),
    ...(typeof entries === 'object' && Object.keys(entries).length > 0
      ? [
          { path: [...path, anyKey], required: true, nullable: takesNull(entries) },
          ...fieldsOf(entries, [...path, anyKey]),
        ]
      : []),
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Json>).flatMap(([name, inner]) => [
      { path: [...path, name], required: required.includes(name), nullable: takesNull(inner) },
      ...fieldsOf(inner, [...path, name]),
    ]),
  ];
}

function takesNull(schema: Json): boolean {
  const options = (schema['anyOf'] ?? []) as Json[];
  const types = [schema['type']].flat();
  return types.includes('null') || options.some(takesNull) || Object.keys(schema).length === 0;
}

/** Nothing but the field, with what it lies in. */
function bodyWith([name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const inner = bodyWith(rest, value);
  if (name === '0') return [inner];
  return inner === undefined ? {} : { [name]: inner };
}

function outcome(operation: Operation, body: unknown): unknown {
  const ids = Object.fromEntries(
    [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [
      name,
      '0190a0b0-0000-7000-8000-000000000000',
    ]),
  );
  try {
    return parseRequest(operation, { params: ids, query: {}, body }).body;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** The fields that an answer shows as null at times. */
function shownAsNull(schema: Json): Set<string> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  return new Set(
    properties.flatMap(([name, inner]) => [...(takesNull(inner) ? [name] : []), ...shownAsNull(inner)]),
  );
}

const fields = operations
  .filter(({ hasBody }) => hasBody)
  .flatMap((operation) =>
    fieldsOf(z.toJSONSchema(operation.body, { io: 'input', unrepresentable: 'any' }) as Json).map(
      (field) => [`${operation.operationId} ${field.path.join('.')}`, operation, field] as const,
    ),
  );

describe('null in a request', () => {
  it('is walked over', () => {
    expect(fields.length).toBeGreaterThan(60);
    expect(fields.filter(([, , { required }]) => required).length).toBeGreaterThan(5);
    // Entries of a caller's own keys, and what only one of several forms has.
    expect(fields.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        `startRun metadata.${anyKey}`,
        `searchCases filters.labels.${anyKey}`,
        'createAgent build.config.data.input.0.role',
      ]),
    );
    expect(fields.filter(([, , { nullable }]) => nullable).map(([name]) => name)).toEqual(
      expect.arrayContaining(['updateAgent description', 'updateRevision revision_name']),
    );
  });

  it.each(fields.filter(([, , { required, nullable }]) => !required && !nullable))(
    '%s: counts as absent',
    (_, operation, { path }) => {
      expect(outcome(operation, bodyWith(path, null))).toEqual(outcome(operation, bodyWith(path, undefined)));
    },
  );

  it.each(fields.filter(([, , { required, nullable }]) => required && !nullable))(
    '%s: is refused, and named',
    (_, operation, { path }) => {
      const message = outcome(operation, bodyWith(path, null));
      // Of a field with several forms none fits: it is named as a whole.
      const names = path.map((_, index) => `${path.slice(0, index + 1).join('.')}: `);
      expect(names.filter((name) => String(message).includes(name))).not.toEqual([]);
    },
  );

  it.each(fields.filter(([, , { nullable }]) => nullable))('%s: is a value', (_, operation, { path }) => {
    const body = outcome(operation, bodyWith(path, null));
    if (typeof body === 'string') {
      // Other fields are required, and lack: this one is not among the faults.
      expect(body).toMatch(/: Invalid input: expected \w+, received undefined/);
      expect(body).not.toContain(`${path.join('.')}: `);
      return;
    }
    expect(body).toMatchObject(bodyWith(path, null) as object);
  });

  it.each(operations.filter(({ method, hasBody }) => hasBody && ['PATCH', 'PUT'].includes(method)))(
    '$operationId: clears what is shown as null',
    ({ operationId, response }) => {
      const shown = shownAsNull(z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' }) as Json);
      const kept = fields.filter(
        ([, { operationId: of }, { path, nullable }]) =>
          of === operationId && path.length === 1 && shown.has(path[0]!) && !nullable,
      );
      expect(kept.map(([name]) => name)).toEqual([]);
    },
  );

  it('counts as absent under another name of the field, too', () => {
    const startRun = operations.find(({ operationId }) => operationId === 'startRun')!;
    const body = { agent_id: '0190a0b0-0000-7000-8000-000000000000' };
    expect(outcome(startRun, { ...body, callback_url: null, webhook_url: null })).toEqual(
      outcome(startRun, body),
    );
    expect(outcome(startRun, { agentId: null })).toContain('agent_id: ');
  });
});
