import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { consoleLink, createDemoTeam, isKeyAccepted, untilReady } from './gateway-client.js';

describe('the first requests to the gateway', () => {
  let server: Server;
  let baseUrl: string;
  let answers: [status: number, body: unknown][];
  let keys: (string | string[] | undefined)[];
  const { signal } = new AbortController();

  beforeEach(async () => {
    answers = [];
    keys = [];
    server = createServer(({ headers }, response) => {
      keys.push(headers['idempotency-key']);
      const [status, body] = answers.shift() ?? [500, {}];
      response.writeHead(status).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('wait until it is ready', async () => {
    answers = [
      [503, {}],
      [200, {}],
    ];
    await untilReady(baseUrl, signal);
    expect(answers).toEqual([]);
  });

  it('stop waiting when told to', async () => {
    const stopping = new AbortController();
    const waiting = untilReady(baseUrl, stopping.signal);
    stopping.abort();
    await expect(waiting).rejects.toThrow();
  });

  it('create the team once the gateway is able to', async () => {
    answers = [
      [503, {}],
      [409, {}],
      [201, { team: { id: 'team_1' }, api_key: { key: 'secret' } }],
    ];
    expect(await createDemoTeam(baseUrl, 'admin', signal)).toEqual({ team_id: 'team_1', api_key: 'secret' });
  });

  it('ask for one team for each administrator', async () => {
    const created: [number, object] = [201, { team: { id: 'team_1' }, api_key: { key: 'secret' } }];
    answers = [[503, {}], created, created, created];
    for (const adminKey of ['one', 'one', 'another']) await createDemoTeam(baseUrl, adminKey, signal);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it.each([
    [401, { error: 'unknown key' }, 'the demo team could not be created: 401 {"error":"unknown key"}'],
    [201, { team: {} }, 'the demo team was created, but the answer has no id or key'],
  ])('fail in one line after %i', async (status, body, message) => {
    answers = [[status, body]];
    await expect(createDemoTeam(baseUrl, 'admin', signal)).rejects.toThrow(message);
  });

  it.each([
    [201, { code: 'signin_1' }, '/console#code=signin_1'],
    [201, {}, '/console'],
    [401, { error: 'invalid_token' }, '/console'],
    [503, {}, '/console'],
  ])('give a link to the console after %i %j', async (status, body, expected) => {
    answers = [[status, body]];
    expect(await consoleLink(baseUrl, 'k', signal)).toBe(baseUrl + expected);
  });

  it.each([
    [200, true],
    [403, true],
    [401, false],
    [503, undefined],
  ])('learn from %i whether a key is known', async (status, expected) => {
    answers = [[status, {}]];
    expect(await isKeyAccepted(baseUrl, { team_id: 't', api_key: 'k' }, signal)).toBe(expected);
  });
});
