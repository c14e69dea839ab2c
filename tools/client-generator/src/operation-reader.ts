import type { OperationEntry } from '@aos/client';
import { referredName, type DescribedOperation, type OpenApiDocument, type Schema } from './openapi.js';

/** An operation with the document around it, which holds what it refers to. */
export class OperationReader {
  readonly id: string;
  readonly summary: string;

  constructor(
    private readonly document: OpenApiDocument,
    private readonly path: string,
    private readonly method: string,
    private readonly described: DescribedOperation,
  ) {
    this.id = described.operationId;
    this.summary = described.summary;
  }

  /** The fields of path, query and body, as one object. A credential has a team, so that one may be left out. */
  input(): Schema {
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    const add = (name: string, schema: Schema, isRequired: boolean) => {
      if (Object.hasOwn(properties, name)) throw new Error(`${this.id} has two inputs with the name ${name}`);
      properties[name] = schema;
      if (isRequired && name !== 'teamId') required.push(name);
    };
    for (const parameter of this.described.parameters) {
      if (parameter.in !== 'header') add(parameter.name, parameter.schema, parameter.in === 'path');
    }
    const body = this.bodySchema();
    for (const [name, schema] of Object.entries(body.properties ?? {})) {
      add(name, schema, body.required?.includes(name) ?? false);
    }
    return { type: 'object', properties, required };
  }

  /** The answer, if it is JSON. */
  output(): Schema | undefined {
    return this.gives() === undefined ? this.answer().content?.['application/json']?.schema : undefined;
  }

  /** For streams: one of its events. */
  event(): Schema | undefined {
    return this.gives() === 'events' ? this.answer().content?.['text/event-stream']?.schema : undefined;
  }

  /** For lists: one of its rows. */
  item(): Schema | undefined {
    const { items } = this.list();
    const output = this.output();
    return items && output ? this.resolve(output).properties?.[items]?.items : undefined;
  }

  entry(): OperationEntry {
    const takes = this.takes();
    const gives = this.gives();
    const query = this.described.requestBody ? this.namesIn('query') : [];
    return {
      method: this.method.toUpperCase(),
      path: this.path,
      ...(query.length > 0 ? { query } : {}),
      ...(takes ? { takes } : {}),
      ...(gives ? { gives } : {}),
      ...this.list(),
    };
  }

  private list(): Pick<OperationEntry, 'items' | 'paging'> {
    const output = this.output();
    const fields = output ? (this.resolve(output).properties ?? {}) : {};
    const arrays = Object.keys(fields).filter((name) => fields[name]!.type === 'array');
    // Of rows under two names the first is the operation's own.
    const [rows, ...others] = arrays.map((name) => JSON.stringify(fields[name]!.items));
    const isList = arrays.length > 0 && others.every((same) => same === rows);
    const inputs = this.input().properties ?? {};
    const paging =
      'next_cursor' in fields ? 'cursor' : 'offset' in inputs && 'limit' in inputs ? 'offset' : undefined;
    return isList && paging ? { items: arrays[0], paging } : {};
  }

  private namesIn(place: string): string[] {
    return this.described.parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  }

  private takes(): OperationEntry['takes'] {
    const types = Object.keys(this.described.requestBody?.content ?? {});
    if (types.length === 0 || types.includes('application/json')) return undefined;
    return types.includes('multipart/form-data') ? 'form' : 'bytes';
  }

  private gives(): OperationEntry['gives'] {
    const types = Object.keys(this.answer().content ?? {});
    if (types.length === 0) return 'nothing';
    if (types.length === 1 && types[0] === 'application/json') return undefined;
    return types.length === 1 && types[0] === 'text/event-stream' ? 'events' : 'response';
  }

  private answer(): DescribedOperation['responses'][string] {
    const status = Object.keys(this.described.responses).find((code) => code.startsWith('2'));
    return this.described.responses[status!]!;
  }

  private bodySchema(): Schema {
    const content = this.described.requestBody?.content;
    if (!content) return {};
    const schema = content['application/json']?.schema ?? content['multipart/form-data']?.schema;
    return schema
      ? this.resolve(schema)
      : { properties: { body: bytes, content_type: text }, required: ['body'] };
  }

  private resolve(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.document.components.schemas[referredName(schema.$ref)]!;
  }
}

const bytes: Schema = { type: 'string', format: 'binary', description: 'The bytes, as a whole' };
const text: Schema = { type: 'string', description: 'What the bytes are' };
