import type { Operation } from '@aos/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { CallOptions } from '../../src/api-client.js';
import { hostileQueryValues, hostileValues } from '../../src/hostile-values.js';
import { bodySchema, querySchema, workingRequest } from '../../src/sample-request.js';
import { propertiesOf, type JsonSchema } from '../../src/sample-value.js';
import type { Choice } from './choice.js';
import { each, InputWalk, isPlain, refusal, rowsOf } from './input-walk.js';

const withBody = rowsOf((operation) => operation.hasBody && operation.takes === 'json' && isPlain(operation));
/** A browser that comes back brings a state that is good once: apps/connections tries what else it may bring. */
const withQuery = rowsOf(
  (operation) =>
    operation.kind !== 'page' &&
    isPlain(operation) &&
    Object.keys(propertiesOf(querySchema(operation))).length > 0,
);

const filePath = 'path';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

export function describeFieldsWalk(title: string, choose: Choice): void {
  describe(title, () => suite(choose));
}

function suite(choose: Choice): void {
  const fieldsOf = countedFields();
  let walk: InputWalk;

  beforeAll(async () => {
    walk = await InputWalk.begin();
  });

  afterAll(() => walk?.end());

  describe.each(withBody)('%s: each field of the body', (_, operation) => {
    let working: CallOptions;

    // With ids that name something: a value that passes for valid must do no harm further in either.
    beforeAll(async () => {
      working = await workingRequest(operation, walk.team, walk.product);
    });

    it.each(fieldsOf(bodySchema(operation)))('%s', async (field, schema, nth) => {
      const { params, body: sample } = working;
      const isValid = ajv.compile(schema);
      const required = (bodySchema(operation)['required'] ?? []) as string[];
      await each(choose(Object.entries(hostileValues), nth), async ([name, value]) => {
        if (endsTheFixture(operation, field, value)) return;
        const body = { ...(sample as object), [field]: value };
        const answer = await walk.send(operation, { params, body });
        if (value === null && !required.includes(field)) {
          // It counts as absent; what the owner says of an absent field is another matter.
          expect(answer.text).not.toContain(`${field}: Invalid`);
          return;
        }
        if (isValid(value)) return;
        expect([name, answer.status, answer.body]).toEqual([
          name,
          400,
          refusal('invalid_request', `${field}`),
        ]);
      });
    });
  });

  describe.each(withQuery)('%s: each query parameter', (_, operation) => {
    it.each(fieldsOf(querySchema(operation)))('%s', async (field, schema, nth) => {
      const { params } = await workingRequest(operation, walk.team, walk.product);
      await each(choose(hostileQueryValues, nth), async (value) => {
        const answer = await walk.send(operation, { params, query: `${field}=${value}` });
        if (field === filePath) {
          // Most texts are paths at which there is nothing.
          expect([value, [400, 404].includes(answer.status)]).toEqual([value, true]);
          return;
        }
        const expected = isValidQueryText(schema, value) ? operation.status : 400;
        expect([value, answer.status]).toEqual([value, expected]);
        if (expected === 400) expect(answer.body).toEqual(namedRefusal(field));
      });
      const twice = await walk.send(operation, { params, query: `${field}=1&${field}=2` });
      expect([twice.status, twice.body]).toEqual([400, namedRefusal(field)]);
    });
  });
}

/**
 * Lists the fields of schemas as cases, numbered through one walk. The count belongs to the walk: a Jest worker keeps
 * modules between files.
 */
function countedFields() {
  let count = 0;
  return (schema: JsonSchema): (readonly [name: string, schema: JsonSchema, nth: number])[] =>
    Object.entries(propertiesOf(schema)).map(([name, field]) => [name, field, count++]);
}

/** A list names the place of the bad item too. */
function namedRefusal(field: string) {
  return {
    error: 'invalid_request',
    message: expect.stringMatching(new RegExp(String.raw`\b${field}(\.\d+)?: `)),
  };
}

/** The fixture dies when told to; that is tried elsewhere. */
function endsTheFixture({ operationId }: Operation, field: string, value: unknown): boolean {
  return operationId === 'createWidget' && field === 'crash_after_commit' && value === true;
}

/** Whether the text stands for a value that the schema of a query parameter allows. */
function isValidQueryText(schema: JsonSchema, encoded: string): boolean {
  let text: string;
  try {
    text = decodeURIComponent(encoded);
  } catch {
    text = encoded;
  }
  if (schema['type'] === 'integer') return /^-?\d{1,15}$/.test(text) && ajv.validate(schema, Number(text));
  if (schema['type'] === 'boolean') return text === 'true' || text === 'false';
  // Texts that Postgres cannot store are refused in every field.
  return ajv.validate(schema, text) && !text.includes('\0') && text.isWellFormed();
}
