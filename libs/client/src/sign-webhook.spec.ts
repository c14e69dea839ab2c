import { Webhook } from 'standardwebhooks';
import { signWebhook } from './sign-webhook.js';
import { verifyWebhook } from './verify-webhook.js';

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const body = JSON.stringify({ id: 'e-1', event: 'run.completed', data: { result: 'ü' } });

describe('signWebhook', () => {
  it('signs so that both ways to verify take it', async () => {
    const headers = await signWebhook({ id: 'e-1', body, secret });
    const signature = headers['x-service-signature'];
    await expect(verifyWebhook({ body, signature, secret })).resolves.toMatchObject({ id: 'e-1' });
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ id: 'e-1' });
  });

  it('signs what it was given and nothing else', async () => {
    const headers = await signWebhook({ id: 'e-1', body: `${body} `, secret });
    const signature = headers['x-service-signature'];
    await expect(verifyWebhook({ body, signature, secret })).rejects.toThrow('does not fit');
    expect(() => new Webhook(secret).verify(body, headers)).toThrow();
  });
});
