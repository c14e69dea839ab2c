import { z } from 'zod';
import { AppError } from './errors.js';
import { operations } from './operations/index.js';
import type { Operation } from './operation.js';
import { parseRequest } from './parse-request.js';

type Json = Record<string, unknown>;

interface Field {
  readonly path: readonly string[];
  readonly required: boolean;
  readonly nullable: boolean;
}

/** Every field at any depth; `0` stands for an item of a list. */
function fieldsOf(schema: Json, path: readonly string[] = []): Field[] {
  const required = (schema['required'] ?? []) as string[];
  const items = schema['items'] as Json | undefined;
  return [
    ...(items ? fieldsOf(items, [...path, '0']) : []),
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
      expect(outcome(operation, bodyWith(path, null))).toContain(`${path.join('.')}: `);
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

  it('counts as absent under another name of the field, too', () => {
    const startRun = operations.find(({ operationId }) => operationId === 'startRun')!;
    const body = { agent_id: '0190a0b0-0000-7000-8000-000000000000' };
    expect(outcome(startRun, { ...body, callback_url: null, webhook_url: null })).toEqual(
      outcome(startRun, body),
    );
    expect(outcome(startRun, { agentId: null })).toContain('agent_id: ');
  });
});
