import { z } from 'zod';
import { AppError } from '../errors.js';
import { defineOperation } from '../declarations/operation.js';
import { parseRequest } from './parse-request.js';
import {
  boundedList,
  boundedRecord,
  idParams,
  idSchema,
  pageQuery,
  queryBoolean,
} from '../schemas/common.js';

const operation = defineOperation({
  operationId: 'testThing',
  method: 'POST',
  path: '/v2/things/{thingId}',
  tag: 'Teams',
  summary: 'Test',
  owner: 'gateway',
  scope: 'team:read',
  params: idParams('thingId'),
  query: z.object({ ...pageQuery({ default: 20, max: 100 }), deep: queryBoolean }),
  body: z.object({
    name: z.string().min(1).default('x'),
    nested: z.object({ n: z.int() }).optional(),
    tags: boundedList(z.string(), { max: 3 }).optional(),
    marks: boundedRecord(z.string(), z.string(), { max: 3 }).optional(),
  }),
  status: 200,
  response: z.object({ id: idSchema }),
});

const thingId = '0190a0b0-0000-7000-8000-000000000000';

function parse(raw: { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }) {
  return parseRequest(operation, { params: { thingId }, query: {}, body: undefined, ...raw });
}

function faultOf(raw: Parameters<typeof parse>[0]): AppError {
  try {
    parse(raw);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the request was accepted');
}

describe('parseRequest', () => {
  it('fills in every default and drops what it does not know', () => {
    expect(parse({ body: { other: 1, __proto__: { x: 1 } }, query: { unknown: 'y' } })).toEqual({
      params: { thingId },
      query: { limit: 20, offset: 0 },
      body: { name: 'x' },
    });
  });

  it('reads numbers and booleans from text', () => {
    expect(parse({ query: { limit: '5', offset: '10', deep: 'true' } }).query).toEqual({
      limit: 5,
      offset: 10,
      deep: true,
    });
  });

  it.each([
    [{ query: { limit: '0' } }, 'limit'],
    [{ query: { limit: '101' } }, 'limit'],
    [{ query: { limit: '1e1' } }, 'limit'],
    [{ query: { limit: '' } }, 'limit'],
    [{ query: { limit: ['1', '2'] } }, 'limit'],
    [{ query: { offset: '-1' } }, 'offset'],
    [{ query: { deep: 'yes' } }, 'deep'],
    [{ body: { name: 3 } }, 'name'],
    [{ body: { name: 'a\0b' } }, 'name'],
    [{ body: { name: '\ud800' } }, 'name'],
    [{ body: { nested: { n: 1.5 } } }, 'nested.n'],
    [{ body: { tags: ['a', 1] } }, 'tags.1'],
    [{ body: { tags: {} } }, 'tags'],
  ])('refuses %j and names the field', (raw, field) => {
    const fault = faultOf(raw);
    expect(fault.code).toBe('invalid_request');
    expect(fault.message).toContain(`${field}: `);
  });

  it.each([null, [], 'text', 3, true])('refuses the body %j', (body) => {
    expect(faultOf({ body }).code).toBe('invalid_request');
  });

  it('names every bad field at once', () => {
    const { message } = faultOf({ query: { limit: 'x' }, body: { name: '', nested: 3 } });
    expect(message).toMatch(/limit: .*name: .*nested: /);
  });

  it('refuses a list that is too long by its length alone, whatever is in it', () => {
    expect(parse({ body: { tags: ['a', 'b', 'c'] } }).body.tags).toEqual(['a', 'b', 'c']);
    const { message } = faultOf({ body: { tags: Array.from({ length: 500_000 }, () => 1) } });
    expect(message).toBe('tags: Too big: expected array to have <=3 items');
  });

  it('refuses too many entries by their number alone, whatever is in them', () => {
    const entries = (count: number, value: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
    expect(parse({ body: { marks: entries(3, 'v') } }).body.marks).toEqual(entries(3, 'v'));
    expect(faultOf({ body: { marks: entries(3, 1) } }).message).toMatch(/^marks\.k0: .*marks\.k2: /);
    const { message } = faultOf({ body: { marks: entries(90_000, 1) } });
    expect(message).toBe('marks: Too big: expected at most 3 entries');
  });

  it('answers a path id that is no UUID as an unknown one, after the shape', () => {
    expect(faultOf({ params: { thingId: 'nope' } }).code).toBe('not_found');
    expect(faultOf({ params: { thingId: 'nope' }, body: { name: 3 } }).code).toBe('invalid_request');
  });

  it('survives a body nested a hundred thousand levels deep', () => {
    let deep: unknown = 'a\0';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(faultOf({ body: { name: 3, deep } }).code).toBe('invalid_request');
  });
});
