import { deliveryHeaders, secretOf } from './webhook-signature.js';

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const older = 'whsec_//////////////////////////////////////////8=';
const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const thing = {
  id,
  event: 'run.completed',
  body: `{"id":"${id}","event":"run.completed","created_at":"2026-01-02T03:04:05.678Z","data":{"result":"Grüße, 世界 👋"}}`,
  at: new Date('2026-01-02T03:04:06.999Z'),
};

/** Made with `openssl dgst -sha256 -hmac`: over `t.body` with the text of the secret, over `id.t.body` with its bytes. */
const vectors = {
  [secret]: {
    own: '9afbcd059b7120bb2fad302ea962b526c22d61db2643f0bb458d4d7b19032654',
    standard: 'IGGerj50GPmpSBw7yVrmn7cNG3BhNyXdnPb9Y6D/luI=',
  },
  [older]: {
    own: '05b6898ca0874ac4cfed9da1a7279fffdf339d177423e63d1a6fdeff842ca052',
    standard: 'UPcqyeOj1o8wj8v2r0GpvUnrJWOtfREctJoezPGtBzo=',
  },
};

describe('deliveryHeaders', () => {
  it('are exactly these', () => {
    expect(deliveryHeaders(thing, [secret])).toEqual({
      'content-type': 'application/json',
      'user-agent': 'agent-operations-service',
      'x-service-signature': `t=1767323046,v1=${vectors[secret]!.own}`,
      'x-service-event': 'run.completed',
      'x-service-delivery': id,
      'webhook-id': id,
      'webhook-timestamp': '1767323046',
      'webhook-signature': `v1,${vectors[secret]!.standard}`,
    });
  });

  it('are signed twice while one secret replaces another, with the present one first', () => {
    expect(deliveryHeaders(thing, [secret, older])).toMatchObject({
      'x-service-signature': `t=1767323046,v1=${vectors[secret]!.own},v1=${vectors[older]!.own}`,
      'webhook-signature': `v1,${vectors[secret]!.standard} v1,${vectors[older]!.standard}`,
    });
  });

  it.each([
    ['the body', { body: thing.body.replace('run.completed', 'run.Completed') }],
    ['the time', { at: new Date(thing.at.getTime() + 1_000) }],
  ])('sign %s', (_, change) => {
    const changed = deliveryHeaders({ ...thing, ...change }, [secret]);
    expect(changed['x-service-signature']).not.toContain(vectors[secret]!.own);
    expect(changed['webhook-signature']).not.toContain(vectors[secret]!.standard);
  });

  it('sign the id too where the standard wants it', () => {
    const changed = deliveryHeaders({ ...thing, id: id.replace('0', '1') }, [secret]);
    expect(changed['x-service-signature']).toContain(vectors[secret]!.own);
    expect(changed['webhook-signature']).not.toContain(vectors[secret]!.standard);
  });
});

describe('secretOf', () => {
  it('is the prefix and the base64 of the bytes', () => {
    expect(secretOf(Buffer.from(Array.from({ length: 32 }, (_, index) => index)))).toBe(secret);
    expect(secretOf(Buffer.alloc(32, 0xff))).toBe(older);
  });
});
