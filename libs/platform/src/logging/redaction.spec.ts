import { redactFields } from './redaction.js';
import { serializeError } from './error-serializer.js';

describe('redactFields', () => {
  it.each([
    'authorization',
    'Authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'password',
    'db_password',
    'PGPASSWORD',
    'token',
    'accessToken',
    'refresh_token',
    'tokens',
    'secret',
    'client_secret',
    'clientSecret',
    'WEBHOOK_SECRET',
    'SECRETS_KEYS',
    'api_key',
    'apiKey',
    'x-api-key',
    'admin_key',
    'private_key',
    'credentials',
  ])('hides %s at any depth', (name) => {
    expect(redactFields({ [name]: 'v' })).toEqual({ [name]: '[redacted]' });
    expect(redactFields({ a: [{ b: { [name]: 'v' } }] })).toEqual({ a: [{ b: { [name]: '[redacted]' } }] });
    expect(redactFields({ [name]: { inner: 'v' } })).toEqual({ [name]: '[redacted]' });
  });

  it('leaves what only sounds like a secret', () => {
    const fields = {
      token_type: 'Bearer',
      input_tokens: 12,
      has_secret: true,
      secret_id: 's1',
      idempotency_key: 'k',
      password: undefined,
      token: null,
    };
    expect(redactFields(fields)).toEqual(fields);
  });

  it('does not change the fields of the caller', () => {
    const fields = { request: { headers: { authorization: 'v' } } };
    redactFields(fields);
    expect(fields.request.headers.authorization).toBe('v');
  });

  it('gives other values a form that can be written', () => {
    expect(
      redactFields({
        at: new Date(0),
        bytes: Buffer.from('abc'),
        big: 10n,
        list: [1, 'a', null],
        none: undefined,
      }),
    ).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      bytes: '[3 bytes]',
      big: '10',
      list: [1, 'a', null],
      none: undefined,
    });
  });

  it('bounds deep, cyclic and wide objects', () => {
    const cyclic: Record<string, unknown> = { name: 'x' };
    cyclic.self = cyclic;
    expect(JSON.stringify(redactFields({ cyclic }))).toContain('[cut]');

    const wide = Array.from({ length: 10_000 }, () => ({ a: {} }));
    expect(JSON.stringify(redactFields({ wide })).match(/"a"/g)?.length).toBeLessThan(500);
  });
});

describe('serializeError', () => {
  it('keeps type, message, stack and code and drops all that drivers hang on an error', () => {
    // The shape of TypeORM's QueryFailedError over a unique violation of pg.
    const error = Object.assign(new Error('duplicate key value violates unique constraint "team_name"'), {
      name: 'QueryFailedError',
      query: 'INSERT INTO team VALUES ($1)',
      parameters: ['row-value'],
      driverError: Object.assign(new Error('duplicate key'), {
        detail: 'Key (name)=(row-value) already exists.',
      }),
      detail: 'Key (name)=(row-value) already exists.',
      code: '23505',
      constraint: 'team_name',
    });
    const serialized = serializeError(error);
    expect(serialized).toEqual({
      type: 'QueryFailedError',
      message: error.message,
      stack: error.stack,
      code: '23505',
      constraint: 'team_name',
    });
    expect(JSON.stringify(redactFields({ err: error, nested: { error } }))).not.toContain('row-value');
  });

  it('follows causes and collected errors, but not for ever', () => {
    const cyclic = new Error('cyclic');
    cyclic.cause = cyclic;
    expect(JSON.stringify(serializeError(cyclic)).match(/"cyclic"/g)).toHaveLength(5);
    const many = new AggregateError(
      Array.from({ length: 50 }, (_, index) => new Error(`e${index}`)),
      'all failed',
    );
    expect(serializeError(many).errors?.map((error) => error.message)).toEqual([
      'e0',
      'e1',
      'e2',
      'e3',
      'e4',
    ]);
  });

  it('takes what is thrown without being an error', () => {
    expect(serializeError('just text')).toEqual({ type: 'string', message: 'just text' });
    expect(serializeError(undefined)).toEqual({ type: 'undefined', message: 'undefined' });
  });
});
