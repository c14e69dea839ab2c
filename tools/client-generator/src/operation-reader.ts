import type { OperationEntry } from '@aos/client';
import { referredName, type DescribedOperation, type OpenApiDocument, type Schema } from './openapi.js';

export interface ReadOperation {
  readonly id: string;
  /** The summary, and the types of input, output, event and item. */
  readonly types: Schema;
  readonly entry: OperationEntry;
}

/** Reads what the client needs of each operation. */
export function readOperations({ paths, components }: OpenApiDocument): ReadOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      readOperation(described, method.toUpperCase(), path, ({ $ref, ...schema }) =>
        $ref === undefined ? schema : components.schemas[referredName($ref)]!,
      ),
    ),
  );
}

function readOperation(
  { operationId: id, summary, parameters, requestBody, responses }: DescribedOperation,
  method: string,
  path: string,
  resolve: (schema: Schema) => Schema,
): ReadOperation {
  const [, { content = {} }] = Object.entries(responses).find(([status]) => status.startsWith('2'))!;
  const takes = takenForm(requestBody?.content);
  const gives = givenForm(Object.keys(content));
  const input = inputOf(id, parameters, requestBody?.content, resolve);
  const output = gives === undefined ? content['application/json']?.schema : undefined;
  const event = gives === 'events' ? content['text/event-stream']?.schema : undefined;
  const fields = output ? (resolve(output).properties ?? {}) : {};
  const list = listIn(fields, input.properties!);
  const item = list.items === undefined ? undefined : fields[list.items]?.items;
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const types = Object.entries({ input, output, event, item }).flatMap(([name, schema]) =>
    schema ? [[name, schema] as const] : [],
  );
  return {
    id,
    types: {
      type: 'object',
      description: summary,
      properties: Object.fromEntries(types),
      required: types.map(([name]) => name),
    },
    entry: {
      method,
      path,
      ...(requestBody && query.length > 0 ? { query } : {}),
      ...(takes ? { takes } : {}),
      ...(gives ? { gives } : {}),
      ...list,
    },
  };
}

type Content = NonNullable<DescribedOperation['requestBody']>['content'];

/** Joins the fields of path, query and body. A credential has a team, so `teamId` may be left out. */
function inputOf(
  id: string,
  parameters: DescribedOperation['parameters'],
  content: Content | undefined,
  resolve: (schema: Schema) => Schema,
): Schema {
  const inPlaces = parameters.filter((parameter) => parameter.in !== 'header');
  const body = bodyIn(content, resolve);
  const entries = [
    ...inPlaces.map(({ name, schema }) => [name, schema] as const),
    ...Object.entries(body.properties ?? {}),
  ];
  const names = entries.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${id} has two inputs with the name ${twice}`);
  const inPath = inPlaces.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const required = [...inPath.filter((name) => name !== 'teamId'), ...(body.required ?? [])];
  return { type: 'object', properties: Object.fromEntries(entries), required };
}

function bodyIn(content: Content | undefined, resolve: (schema: Schema) => Schema): Schema {
  if (!content) return {};
  const schema = (content['application/json'] ?? content['multipart/form-data'])?.schema;
  return schema ? resolve(schema) : { properties: { body: bytes, content_type: text }, required: ['body'] };
}

function takenForm(content: Content = {}): OperationEntry['takes'] {
  const types = Object.keys(content);
  if (types.length === 0 || types.includes('application/json')) return undefined;
  return types.includes('multipart/form-data') ? 'form' : 'bytes';
}

function givenForm([type, ...others]: readonly string[]): OperationEntry['gives'] {
  if (type === undefined) return 'nothing';
  if (others.length > 0) return 'response';
  if (type === 'application/json') return undefined;
  return type === 'text/event-stream' ? 'events' : 'response';
}

/** Finds the rows of a list and how it is paged. Of equal rows under two names the first is the operation's own. */
function listIn(
  fields: Readonly<Record<string, Schema>>,
  inputs: object,
): Pick<OperationEntry, 'items' | 'paging'> {
  const arrays = Object.keys(fields).filter((name) => fields[name]!.type === 'array');
  const rows = new Set(arrays.map((name) => JSON.stringify(fields[name]!.items)));
  const byOffset = 'offset' in inputs && 'limit' in inputs ? 'offset' : undefined;
  const paging = 'next_cursor' in fields ? 'cursor' : byOffset;
  return rows.size === 1 && paging ? { items: arrays[0], paging } : {};
}

const bytes: Schema = { type: 'string', format: 'binary', description: 'The bytes, as a whole' };
const text: Schema = { type: 'string', description: 'What the bytes are' };
