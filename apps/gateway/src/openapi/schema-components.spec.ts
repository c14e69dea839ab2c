import { namedSchemas, operations } from '@aos/contracts';
import { openApiDocument } from './openapi-document.js';

type Json = Record<string, unknown>;

const document = openApiDocument(operations, 'https://agents.example.com') as {
  paths: Json;
  webhooks: Json;
  components: { schemas: Record<string, Json> };
};
const { schemas } = document.components;

/** Every object in a document with the place where it stands. */
function* objectsIn(value: unknown, place = ''): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value as Json];
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, `${place}/${key}`);
}

const references = [...objectsIn(document)].flatMap(([, { $ref }]) =>
  typeof $ref === 'string' ? [$ref] : [],
);

/** Places where a schema stands that has a name, although it could be referred to. */
function inlineCopies(of: Json): string[] {
  const texts = new Map(Object.entries(schemas).map(([name, schema]) => [canonical(schema), name]));
  return [...objectsIn(of)].flatMap(([place, value]) => {
    const name = texts.get(canonical(withoutNotes(value)));
    const isDefinition = /^\/components\/schemas\/\w+$/.test(place);
    return name === undefined || isDefinition ? [] : [`${name} at ${place}`];
  });
}

/** What stands beside a reference does not make it another schema. */
function withoutNotes({ default: _default, description: _description, ...rest }: Json): Json {
  return rest;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

describe('the schemas of the OpenAPI document', () => {
  it('are the named schemas of the contracts, each of which is used', () => {
    const names = Object.keys(schemas);
    for (const name of namedSchemas.keys()) expect(names).toContain(name);
    for (const name of names) expect(references).toContain(`#/components/schemas/${name}`);
  });

  it('are there for all that is referred to', () => {
    for (const reference of references.filter((text) => text.startsWith('#/components/schemas/'))) {
      expect(Object.keys(schemas)).toContain(reference.split('/').at(-1));
    }
  });

  it('have the names that client authors look for', () => {
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        ...['Team', 'ApiKey', 'OAuthClient', 'Agent', 'Build', 'BuildConfig', 'BuilderRun', 'Schedule'],
        ...['Run', 'RunMessage', 'HumanRequest', 'Evaluation', 'Rubric', 'MemoryFile', 'SandboxFile'],
        ...['Webhook', 'WebhookDelivery', 'Plugin', 'ApiError', 'Event', 'RunEvent', 'RunStartedEvent'],
      ]),
    );
  });

  it('are used by reference: none has a copy in place', () => {
    expect(inlineCopies(document as unknown as Json)).toEqual([]);
    const { RunStatus } = schemas;
    expect(
      inlineCopies({ paths: { status: { ...structuredClone(RunStatus), default: 'running' } } }),
    ).toEqual(['RunStatus at /paths/status']);
  });

  it('tell what a request may leave out from what an answer has', () => {
    expect(schemas['BuildConfig']).toMatchObject({ required: ['version', 'data'] });
    expect(schemas['BuildConfigInput']).not.toHaveProperty('required');
    const { createAgent } = Object.fromEntries(
      operations.map(({ operationId, path, method }) => [
        operationId,
        (document.paths[path] as Record<string, Json>)[method.toLowerCase()],
      ]),
    );
    expect(JSON.stringify(createAgent!['requestBody'])).toContain('#/components/schemas/BuildConfigInput"');
    expect(JSON.stringify(schemas['Build'])).toContain('#/components/schemas/BuildConfig"');
  });

  it('say of a stream what each of its events is', () => {
    const { discriminator } = schemas['RunEvent'] as { discriminator: { mapping: Record<string, string> } };
    expect(discriminator.mapping['run.completed']).toBe('#/components/schemas/RunCompletedEvent');
    expect(references).toContain('#/components/schemas/RunEvent');
  });

  it('have no limits but those of the interface', () => {
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });
});
