import { z } from 'zod';
import { AppError } from '../errors.js';
import { nearestName } from './nearest-name.js';
import type { Operation } from '../declarations/operation.js';
import type { RawRequest } from './parse-request.js';
import { aliasesOf } from '../schemas/aliased.js';

/** A field that a request has and its operation does not know. */
export interface IgnoredField {
  /** `models.agent.modle`, or the name of a query parameter. */
  readonly path: string;
  /** The known field beside it that was probably meant. */
  readonly meant: string | undefined;
}

type Find = (value: unknown, path: string, found: IgnoredField[]) => void;

/** More are not named: a body may have ten thousand. */
const maxNamed = 20;
const maxPathLength = 200;

/** Lists ignored fields of a request; `parseRequest` finds all other faults. */
export function ignoredFields(
  operation: Operation,
  { query, body }: Omit<RawRequest, 'params'>,
): IgnoredField[] {
  const found: IgnoredField[] = [];
  findOf(operation.query)(query, '', found);
  findOf(operation.body)(body, '', found);
  return found;
}

/** For a client that wants to hear of every field that would be ignored (`Prefer: handling=strict`). */
export function refuseIgnored(ignored: readonly IgnoredField[]): void {
  if (ignored.length === 0) return;
  const lines = ignored.map(
    ({ path, meant }) => `${path}: is not known${meant ? `, did you mean ${meant}?` : ''}`,
  );
  throw new AppError('invalid_request', lines.join('; '));
}

const compiled = new WeakMap<z.core.$ZodType, Find>();

function findOf(schema: z.core.$ZodType): Find {
  let find = compiled.get(schema);
  if (!find) {
    find = compile(schema as z.ZodType);
    compiled.set(schema, find);
  }
  return find;
}

const nothing: Find = () => undefined;

function compile(schema: z.ZodType): Find {
  if (schema instanceof z.ZodObject) return compileObject(schema, {});
  if (schema instanceof z.ZodArray) return compileArray(schema);
  if (schema instanceof z.ZodRecord) return compileRecord(schema);
  if (schema instanceof z.ZodUnion) return compileUnion(schema);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return findOf(schema.def.innerType);
  }
  if (schema instanceof z.ZodPipe) {
    const aliases = aliasesOf(schema);
    if (aliases) return compileObject(schema.def.out as z.ZodObject, aliases);
    return findOf(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in);
  }
  return nothing;
}

function compileObject(schema: z.ZodObject, aliases: Readonly<Record<string, string>>): Find {
  // Open objects ignore no field.
  const { catchall } = schema.def;
  if (catchall && !(catchall instanceof z.ZodNever)) return nothing;
  const fields = new Map(Object.entries(schema.shape).map(([name, field]) => [name, findOf(field)]));
  for (const [alias, name] of Object.entries(aliases)) fields.set(alias, fields.get(name)!);
  const known = Object.keys(schema.shape);
  return (value, path, found) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const name of Object.keys(value)) {
      if (found.length >= maxNamed) return;
      const find = fields.get(name);
      if (find === nothing) continue;
      const place = path === '' ? name : `${path}.${name}`;
      if (find) find((value as Record<string, unknown>)[name], place, found);
      else found.push({ path: place.slice(0, maxPathLength), meant: nearestName(name, known) });
    }
  };
}

function compileArray(schema: z.ZodArray): Find {
  const item = findOf(schema.element);
  if (item === nothing) return nothing;
  return (value, path, found) => {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length && found.length < maxNamed; index += 1)
      item(value[index], `${path}.${index}`, found);
  };
}

function compileRecord(schema: z.ZodRecord): Find {
  const entry = findOf(schema.valueType);
  if (entry === nothing) return nothing;
  return (value, path, found) => {
    if (typeof value !== 'object' || value === null) return;
    for (const name of Object.keys(value)) {
      if (found.length >= maxNamed) return;
      entry((value as Record<string, unknown>)[name], `${path}.${name}`, found);
    }
  };
}

/** A value is held to the kind that takes it. */
function compileUnion(schema: z.ZodUnion): Find {
  const kinds = schema.options.map((option) => ({ option: option as z.ZodType, find: findOf(option) }));
  if (kinds.every(({ find }) => find === nothing)) return nothing;
  return (value, path, found) =>
    kinds.find(({ option }) => option.safeParse(value).success)?.find(value, path, found);
}
