import { defineOperation, idParams } from '@aos/contracts';
import fc from 'fast-check';
import { z } from 'zod';
import { canonicalJson, idempotencyScope } from './idempotency-scope.js';

const operation = defineOperation({
  operationId: 'moveThing',
  method: 'POST',
  path: '/v2/things/{thingId}',
  tag: 'Teams',
  summary: 'Move',
  owner: 'gateway',
  scope: 'agents:write',
  params: idParams('thingId'),
  status: 200,
  response: z.object({}),
});
const other = { ...operation, operationId: 'dropThing' };
const principal = { kind: 'api_key', credentialId: 'c', teamId: 't1', scopes: ['*'] } as const;
const envelope = { principal, params: { thingId: 'x' }, query: {}, body: { a: 1 } as unknown };

describe('canonicalJson', () => {
  it('does not depend on the order of fields, at any depth', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, shuffled(inner)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('means the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('tells apart what is different', () => {
    const values: unknown[] = [
      {},
      [],
      null,
      '',
      0,
      false,
      { a: 1 },
      { a: '1' },
      [1, 2],
      [2, 1],
      { a: { b: 1 } },
    ];
    expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
    const hostile = JSON.parse('{"__proto__": {"a": 1}}') as unknown;
    expect(canonicalJson(hostile)).toBe('{"__proto__":{"a":1}}');
  });
});

describe('idempotencyScope', () => {
  const base = idempotencyScope(operation, envelope, 'key');

  it.each([
    ['team', idempotencyScope(operation, { ...envelope, principal: { ...principal, teamId: 't2' } }, 'key')],
    [
      'no team',
      idempotencyScope(
        operation,
        { ...envelope, principal: { ...principal, kind: 'admin', teamId: null } },
        'key',
      ),
    ],
    ['operation', idempotencyScope(other, envelope, 'key')],
    ['path', idempotencyScope(operation, { ...envelope, params: { thingId: 'y' } }, 'key')],
    ['key', idempotencyScope(operation, envelope, 'KEY')],
  ])('is another for another %s', (_, changed) => {
    expect(changed.scope).not.toBe(base.scope);
    expect(changed.lockId).not.toBe(base.lockId);
    expect(changed.fingerprint).toBe(base.fingerprint);
  });

  it('is the same for another body, credential or query, and only the body changes the fingerprint', () => {
    const credential = { ...envelope, principal: { ...principal, credentialId: 'd' } };
    expect(idempotencyScope(operation, credential, 'key')).toEqual(base);
    expect(idempotencyScope(operation, { ...envelope, query: { q: '1' } }, 'key')).toEqual(base);
    const changed = idempotencyScope(operation, { ...envelope, body: { a: 2 } }, 'key');
    expect(changed.scope).toBe(base.scope);
    expect(changed.fingerprint).not.toBe(base.fingerprint);
  });

  it('is another for another credential where the answer holds a secret', () => {
    const showing = { ...operation, secrets: { request: false, response: true } };
    const own = idempotencyScope(showing, envelope, 'key');
    const credential = { ...envelope, principal: { ...principal, credentialId: 'd' } };
    const others = idempotencyScope(showing, credential, 'key');
    expect(others.scope).not.toBe(own.scope);
    expect(others.lockId).not.toBe(own.lockId);
  });

  it('takes no body for an empty one, and null for neither', () => {
    const of = (body: unknown) => idempotencyScope(operation, { ...envelope, body }, 'key').fingerprint;
    expect(of(undefined)).toBe(of({}));
    expect(of(null)).not.toBe(of({}));
  });

  it('gives a lock that fits into a bigint', () => {
    fc.assert(
      fc.property(fc.string(), (key) => {
        const lock = BigInt(idempotencyScope(operation, envelope, key).lockId);
        expect(BigInt.asIntN(64, lock)).toBe(lock);
      }),
    );
  });
});
