import { createHmac } from 'node:crypto';
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.js';

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const body =
  '{"id":"1","event":"run.completed","created_at":"2026-07-18T09:30:00.000Z","data":{"result":"ü"}}';
const time = 1_784_367_001;
const now = () => time * 1000;

const sign = (key = secret, text = body, at = time) =>
  createHmac('sha256', key).update(`${at}.${text}`).digest('hex');

describe('verifyWebhook', () => {
  it('gives the event of a genuine delivery, as text or as bytes', async () => {
    const signature = `t=${time},v1=${sign()}`;
    for (const given of [body, new TextEncoder().encode(body)]) {
      expect(await verifyWebhook({ body: given, signature, secret, now })).toEqual(JSON.parse(body));
    }
  });

  it('checks the bytes as they were received, not what they mean', async () => {
    const spaced = '{ "id": "1", "event": "run.completed", "data": { "amount": 1.0, "name": "\\u00fc" } }';
    const signature = `t=${time},v1=${sign(secret, spaced)}`;
    expect(await verifyWebhook({ body: spaced, signature, secret, now })).toEqual(JSON.parse(spaced));
    const rewritten = JSON.stringify(JSON.parse(spaced));
    await expect(verifyWebhook({ body: rewritten, signature, secret, now })).rejects.toThrow(
      WebhookVerificationError,
    );
  });

  it('takes one of two signatures while a secret is being replaced', async () => {
    const signature = `t=${time},v1=${sign('whsec_other')},v1=${sign()}`;
    expect(await verifyWebhook({ body, signature, secret, now })).toMatchObject({ id: '1' });
  });

  it.each([
    ['another secret', `t=${time},v1=${sign('whsec_other')}`],
    ['another body', `t=${time},v1=${sign(secret, `${body} `)}`],
    ['another time', `t=${time + 1},v1=${sign()}`],
    ['no signature', `t=${time}`],
    ['no time', `v1=${sign()}`],
    ['a signature that is none', `t=${time},v1=${'z'.repeat(64)}`],
    ['nothing', ''],
    ['no header', undefined],
  ])('refuses %s', async (_, signature) => {
    await expect(verifyWebhook({ body, signature, secret, now })).rejects.toThrow(WebhookVerificationError);
  });

  it.each([-301, 301])('refuses one that is %i seconds away from the clock', async (seconds) => {
    const at = time + seconds;
    const signature = `t=${at},v1=${sign(secret, body, at)}`;
    await expect(verifyWebhook({ body, signature, secret, now })).rejects.toThrow('too old');
    await expect(
      verifyWebhook({ body, signature, secret, now, toleranceSeconds: 302 }),
    ).resolves.toBeTruthy();
  });
});
