import fastify, { type FastifyInstance } from 'fastify';
import { TeamEntity } from '../identity/teams/team.entity.js';
import { BrowserPages } from './browser-pages.js';

describe('an answer for a browser', () => {
  let app: FastifyInstance;
  let answer: { status: number; body: string };

  beforeAll(() => {
    app = fastify();
    const teams = {
      find: async (id: string) => Object.assign(new TeamEntity(), { id, name: 'The <b>"A"</b> team' }),
    };
    const pages = new BrowserPages(teams);
    app.get('/', (request, reply) => pages.send(answer, request, reply));
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

  it('asks, with the name of the team, and brings the request again with the answer', async () => {
    const confirm = { team_id: '0190a0b0-0000-7000-8000-000000000000', token: 'v1.key.sealed' };
    answer = ended({ location: null, title: 'Connect Acme?', message: 'Go on?', confirm });
    const url = '/?state=a%22b&code=c%26d&x=1&x=2';
    const { headers, body } = await app.inject({ url, headers: { accept: 'text/html' } });
    expect(headers['content-security-policy']).toMatch(/form-action 'self'; frame-ancestors 'none'/);
    expect(body).toContain('The &#60;b&#62;');
    expect(body).toContain(confirm.team_id);
    const inputs = [...body.matchAll(/<input type="hidden" name="(.*?)" value="(.*?)">/g)];
    expect(inputs.map(([, name, value]) => [name, value])).toEqual([
      ['state', 'a&#34;b'],
      ['code', 'c&#38;d'],
      ['confirmed', confirm.token],
    ]);
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
