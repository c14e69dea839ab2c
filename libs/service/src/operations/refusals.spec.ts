import { AppError, createApiKey, getTeam, type GrantedScope } from '@aos/contracts';
import { passingRefusal, permitReplay } from './refusals.js';

const pgError = (code: string) => Object.assign(new Error('a fault'), { code });

describe('a failure of Postgres', () => {
  it.each([
    ['is away', '57P01'],
    ['cannot be reached', 'ECONNRESET'],
    ['took too long', '57014'],
    ['had to wait too long for a lock', '55P03'],
    ['saw two transactions in the way of each other', '40P01'],
  ])('that %s is told as one that passes', (_, code) => {
    expect(passingRefusal(pgError(code))).toMatchObject({
      code: 'unavailable',
      options: { retryAfterSeconds: 1 },
    });
  });

  it.each([
    pgError('42P01'),
    pgError('23505'),
    new Error('a bug'),
    new AppError('not_found', 'gone'),
    undefined,
  ])('that does not pass is told as nothing (%#)', (error) => {
    expect(passingRefusal(error)).toBeUndefined();
  });
});

const id = '019f0000-0000-7000-8000-000000000000';
const holding = (...scopes: GrantedScope[]) =>
  ({ kind: 'api_key', credentialId: 'k', teamId: 't', scopes }) as const;
const expires_at = '2026-07-18T12:00:00.000Z';
const made = {
  status: 201,
  body: JSON.stringify({
    api_key_id: id,
    api_key: { id, name: 'k', scopes: ['runs:read'], expires_at, created_at: expires_at, key: 'aos_x' },
  }),
  replayed: true,
};

describe('permitReplay', () => {
  it('gives a credential to who holds as much', () => {
    expect(permitReplay(createApiKey, holding('runs:read', 'team:admin'), made)).toBe(made);
  });

  it.each([
    ['fewer scopes', holding('team:admin'), 'insufficient_scope'],
    ['an earlier end', { ...holding('*'), expiresAt: '2026-07-18T11:59:59.999Z' }, 'forbidden'],
  ])('refuses it to who has %s', (_, principal, code) => {
    expect(() => permitReplay(createApiKey, principal, made)).toThrow(expect.objectContaining({ code }));
  });

  it('gives any other answer to a caller that may call the operation', () => {
    const refused = { status: 400, body: '{"error":"invalid_request","message":"m"}', replayed: true };
    expect(permitReplay(createApiKey, holding('team:admin'), refused)).toBe(refused);
    const plain = { status: 200, body: 'as it is', replayed: true };
    expect(permitReplay(getTeam, holding('team:read'), plain)).toBe(plain);
  });
});
