import { readFile } from 'node:fs/promises';
import { clientText } from './client-text.js';
import { expectedText, generatedFile } from './generated-client.js';
import type { OpenApiDocument } from './openapi.js';

describe('the generated part of the client', () => {
  it('is committed as it is: run `npm run client` after a change of the interface', async () => {
    expect(await readFile(generatedFile, 'utf8')).toBe(await expectedText());
  });
});

describe('clientText', () => {
  const json = (schema: object) => ({ 'application/json': { schema } });
  const id = { name: 'thing_id', in: 'path', schema: { type: 'string' } } as const;
  const style = { singleQuote: true, printWidth: 110 } as const;
  const page = [
    { name: 'limit', in: 'query', schema: { type: 'integer' } },
    { name: 'offset', in: 'query', schema: { type: 'integer' } },
  ] as const;
  const rows = { type: 'array', items: { $ref: '#/x/Thing' } };
  const list = { type: 'object', properties: { things: rows, articles: rows } };

  const document: OpenApiDocument = {
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          summary: 'List',
          parameters: page,
          responses: { 200: { content: json(list) } },
        },
      },
      '/things/{thing_id}': {
        get: {
          operationId: 'getThing',
          summary: 'Read a */ thing',
          parameters: [id, { name: 'X-Other', in: 'header', schema: {} }],
          responses: { 200: { content: json({ $ref: '#/x/Thing' }) } },
        },
        delete: { operationId: 'deleteThing', summary: 'Delete', parameters: [id], responses: { 204: {} } },
      },
    },
    components: {
      schemas: {
        Thing: {
          type: 'object',
          properties: {
            'a-b': { type: ['string', 'null'] },
            kind: { enum: ['one', 'two'], description: 'Which' },
            of: { anyOf: [{ $ref: '#/x/Thing' }, { type: 'null' }] },
            notes: { type: 'object', additionalProperties: { type: 'number' } },
          },
          required: ['kind'],
        },
        Colour: { enum: ['red', 'green'] },
      },
    },
  };

  it('writes a type for each schema', async () => {
    expect(await clientText(document, style)).toContain(
      [
        'export type Thing = {',
        "  'a-b'?: string | null;",
        '  /** Which */',
        "  kind: 'one' | 'two';",
        '  of?: Thing | null;',
        '  notes?: Record<string, number>;',
        '};',
      ].join('\n'),
    );
  });

  it('writes what each operation takes and gives, and how it travels', async () => {
    const text = await clientText(document, style);
    expect(text).toContain('/** Read a *∕ thing */\n  getThing: {');
    expect(text).not.toContain('X-Other');
    expect(text).toContain('item: Thing;');
    expect(text).toContain(
      "listThings: { method: 'GET', path: '/things', items: 'things', paging: 'offset' },",
    );
    expect(text).toContain("gives: 'nothing' }");
  });

  it('writes the values of each type that has a fixed set of them', async () => {
    const text = await clientText(document, style);
    expect(text).toContain("export const enumValues = {\n  Colour: ['red', 'green'],\n} as const;");
    expect(text).toContain('export type Colour = (typeof enumValues.Colour)[number];');
  });

  it('refuses two inputs with one name', async () => {
    const clash: OpenApiDocument = {
      ...document,
      paths: {
        '/things/{thing_id}': {
          put: {
            operationId: 'putThing',
            summary: 'Put',
            parameters: [id],
            requestBody: { content: json({ properties: { thing_id: {} } }) },
            responses: { 200: {} },
          },
        },
      },
    };
    await expect(clientText(clash, {})).rejects.toThrow('putThing has two inputs with the name thing_id');
  });
});
