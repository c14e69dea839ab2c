import fastify, { type FastifyInstance } from 'fastify';
import { sendPage } from './send-page.js';

describe('an answer for a browser', () => {
  let app: FastifyInstance;
  let answer: { status: number; body: string };

  beforeAll(() => {
    app = fastify();
    app.get('/', (request, reply) => sendPage(answer, request, reply));
  });

  afterAll(() => app.close());

  const visit = (accept: string) => app.inject({ url: '/', headers: { accept } });
  const ended = (body: object) => ({ status: 200, body: JSON.stringify(body) });

  it('sends it on to where the team said', async () => {
    answer = ended({ location: 'https://app.example.com/done?status=active', title: '', message: '' });
    const { statusCode, headers } = await visit('text/html');
    expect([statusCode, headers.location]).toEqual([302, 'https://app.example.com/done?status=active']);
    // The address that led here held a code.
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  });

  it('shows how it went, and runs nothing that somebody has named so', async () => {
    answer = ended({ location: null, title: 'Connected', message: '<script>alert("x")</script> & \'more\'' });
    const { statusCode, headers, body } = await visit('text/html');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(body).toContain('<h1 style="font-size: 1.4rem">Connected</h1>');
    expect(body).not.toMatch(/<script|alert\("/);
    expect(body).toContain('&#60;script&#62;');
  });

  it('shows a refusal to those who read HTML, and to others what every operation answers', async () => {
    answer = {
      status: 400,
      body: JSON.stringify({ error: 'invalid_request', message: 'state: <is> not known' }),
    };
    const shown = await visit('text/html,application/xhtml+xml');
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(shown.body).toContain('state: &#60;is&#62; not known');
    const told = await visit('application/json');
    expect([told.statusCode, told.json()]).toEqual([400, JSON.parse(answer.body)]);
  });
});
