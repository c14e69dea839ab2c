import { parseEnvelope, parseRequestHead } from './request-frames.js';

const head = { id: 1, replyTo: 'channel', name: 'getRun', waitMs: 10_000 };
const principal = { kind: 'api_key', credentialId: 'c', teamId: 't', scopes: ['runs:read'] };
const envelope = { principal, params: { run_id: 'r' }, query: {} };

describe('heads of requests', () => {
  it('arrive as they were sent', () => {
    const whole = { ...head, sealed: true, fetches: true, requestId: 'x', traceparent: '00-a-b-01' };
    expect(parseRequestHead(JSON.stringify(head))).toEqual(head);
    expect(parseRequestHead(JSON.stringify(whole))).toEqual(whole);
  });

  it.each([undefined, '', 'null', '[]', '{}', ...withoutOne(head), ...withWrong(head)])(
    'are refused where they are none: %j',
    (text) => {
      expect(() => parseRequestHead(text)).toThrow();
    },
  );
});

describe('envelopes of operations', () => {
  it('arrive as they were sent', () => {
    const body = { message: 'Hello', deep: [null, { a: 1 }] };
    const upload = { key: 'k', size_bytes: 0, sha256: 'ab', name: 'a.txt' };
    expect(parseEnvelope(envelope)).toEqual(envelope);
    const whole = { ...envelope, body, upload, idempotencyKey: 'k' };
    expect(parseEnvelope(whole)).toEqual(whole);
    const ended = { ...envelope, principal: { ...principal, expiresAt: '2999-01-01T00:00:00.000Z' } };
    expect(parseEnvelope(ended)).toEqual(ended);
  });

  it('of the administrator belong to no team, all others to one', () => {
    const admin = { ...envelope, principal: { ...principal, kind: 'admin', teamId: null } };
    expect(parseEnvelope(admin)).toEqual(admin);
    for (const kind of ['api_key', 'oauth_client', 'link']) {
      expect(parseEnvelope({ ...envelope, principal: { ...principal, kind } }).principal.teamId).toBe('t');
      for (const teamId of [null, '', undefined]) {
        expect(() => parseEnvelope({ ...envelope, principal: { ...principal, kind, teamId } })).toThrow();
      }
    }
    expect(() => parseEnvelope({ ...envelope, principal: { ...principal, kind: 'admin' } })).toThrow();
  });

  it('lose the scopes that only a later version knows', () => {
    const scopes = ['runs:read', 'moon:write', '*'];
    expect(parseEnvelope({ ...envelope, principal: { ...principal, scopes } }).principal.scopes).toEqual([
      'runs:read',
      '*',
    ]);
  });

  it.each([undefined, null, 'text', [], {}, ...withoutOne(envelope), ...withoutOne(principal)])(
    'are refused where they are none: %j',
    (payload) => {
      expect(() => parseEnvelope(typeof payload === 'string' ? JSON.parse(payload) : payload)).toThrow();
    },
  );
});

function withoutOne(value: Record<string, unknown>): string[] {
  return Object.keys(value).map((key) => JSON.stringify({ ...value, [key]: undefined }));
}

function withWrong(value: Record<string, unknown>): string[] {
  return Object.keys(value).map((key) => JSON.stringify({ ...value, [key]: { no: 'text' } }));
}
