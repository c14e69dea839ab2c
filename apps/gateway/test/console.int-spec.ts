import { request as httpRequest } from 'node:http';
import { RedisConnections } from '@aos/messaging';
import { eventually } from '@aos/testing';
import { startGatewayInProcess, type GatewayInProcess } from './gateway-in-process.js';

describe('the console', () => {
  let gateway: GatewayInProcess;

  beforeAll(async () => {
    gateway = await startGatewayInProcess();
  });

  afterAll(async () => {
    await gateway?.stop();
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(gateway.url + path, { redirect: 'manual', headers });

  describe('its page', () => {
    it('is where the address without a path leads', async () => {
      const answer = await get('/');
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/console']);
    });

    it('is the same at each of its addresses, and asked for anew each time', async () => {
      const pages = await Promise.all(
        ['/console', '/console/runs', '/console/runs/1', '/console/keys?x=1'].map((path) => get(path)),
      );
      expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(await Promise.all(pages.map((page) => page.text()))).size).toBe(1);
      expect(pages[0]!.headers.get('cache-control')).toBe('no-cache');
      const again = await get('/console', { 'if-none-match': pages[0]!.headers.get('etag')! });
      expect([again.status, await again.text()]).toEqual([304, '']);
    });

    it('brings all that it needs, kept for ever under names that say what is in them', async () => {
      const page = await (await get('/console')).text();
      const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1]!);
      expect(addresses.filter((address) => address.endsWith('.js')).length).toBeGreaterThan(0);
      for (const address of addresses) {
        expect(address).toMatch(/^\/console\/assets\/[\w-]+-[\w-]{8}\.(js|css|svg)$/);
        const asset = await get(address);
        expect([address, asset.status]).toEqual([address, 200]);
        expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(asset.headers.get('content-encoding')).toBe('gzip');
      }
    });

    it('has no such file, and says so', async () => {
      const answer = await get('/console/assets/no-such-file.js');
      expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([404, 'not_found']);
    });

    it.each([
      '/console/%2e%2e/package.json',
      '/console/assets/..%2f..%2fpackage.json',
      '/console//etc/passwd',
    ])('gives no file of the machine for %s', async (path) => {
      expect(await (await get(path)).text()).not.toMatch(/"name"|root:/);
    });

    it('may load and ask only this server, run no text as a script, and lie in no frame', async () => {
      const policy = policyOf(await get('/console'));
      expect(policy['default-src']).toEqual(["'none'"]);
      for (const kind of ['script-src', 'style-src', 'connect-src', 'frame-src']) {
        expect([kind, policy[kind]]).toEqual([kind, ["'self'"]]);
      }
      expect(policy['frame-ancestors']).toEqual(["'none'"]);
      expect(await (await get('/console')).text()).not.toMatch(
        /<script(?![^>]*src=)|<style|style="|\son\w+=/,
      );
    });

    it('shows pages that were made in a frame of another origin, which may ask for nothing', async () => {
      const policy = policyOf(await get('/console/frame.html'));
      expect(policy['sandbox']).toEqual(['allow-scripts']);
      expect([policy['connect-src'], policy['default-src']]).toEqual([undefined, ["'none'"]]);
      expect(policy['frame-ancestors']).toEqual(["'self'"]);
    });
  });

  describe('its sign-in link', () => {
    const makeCode = async (key: string) => {
      const answer = await gateway.call<{ code: string }>('/console/sign-in-codes', { method: 'POST', key });
      expect(answer.status).toBe(201);
      return answer.body.code;
    };
    const exchange = (code: unknown, headers: Record<string, string> = {}) =>
      gateway.call<{ team?: { id: string }; error?: string }>('/console/sign-in', {
        body: { code },
        headers,
      });

    it('opens a session of the key that it was made with, once, and gives no key away', async () => {
      const { id, key } = await gateway.newTeam();
      const code = await makeCode(key);
      const opened = await exchange(code);
      expect(opened).toMatchObject({ status: 201, body: { team: { id } } });
      expect(JSON.stringify(opened.body)).not.toContain(key);
      const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
      const { status } = await gateway.call(`/v2/teams/${id}`, { headers: { cookie } });
      expect(status).toBe(200);
      expect(await exchange(code)).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    });

    it('signs in one of many who come at the same time', async () => {
      const code = await makeCode((await gateway.newTeam()).key);
      const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(401)]);
    });

    it('lies nowhere readable, and not for long', async () => {
      const { key } = await gateway.newTeam();
      const code = await makeCode(key);
      const { shared, key: named } = gateway.app.get(RedisConnections);
      const names = await shared.keys(`${named.call(gateway.app.get(RedisConnections), 'console-sign-in')}*`);
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        const ttl = await shared.ttl(name);
        expect(ttl > 0 && ttl <= 900).toBe(true);
        expect(`${name} ${await shared.get(name)}`).not.toMatch(new RegExp(`${code}|${key}`));
      }
    });

    it('is worth nothing when its key was revoked', async () => {
      const { id, key } = await gateway.newTeam();
      const made = await gateway.call<{ api_key: { id: string; key: string } }>(`/v2/teams/${id}/api-keys`, {
        key,
        body: { name: 'short' },
      });
      const code = await makeCode(made.body.api_key.key);
      await gateway.call(`/v2/teams/${id}/api-keys/${made.body.api_key.id}`, { method: 'DELETE', key });
      // Within a second everywhere.
      await eventually(async () => {
        const { status } = await gateway.call(`/v2/teams/${id}`, { key: made.body.api_key.key });
        expect(status).toBe(401);
      });
      expect((await exchange(code)).status).toBe(401);
    });

    it('is made of no key that is unknown, and not of the administrator’s', async () => {
      const codes = [undefined, 'aos_unknown', gateway.environment['ADMIN_KEY']!].map(async (key) => {
        return (await gateway.call('/console/sign-in-codes', { method: 'POST', ...(key ? { key } : {}) }))
          .status;
      });
      expect(await Promise.all(codes)).toEqual([401, 401, 403]);
    });

    it.each([undefined, 7, {}, null])('is no link with the code %j', async (code) => {
      expect(await exchange(code)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    });

    it.each([
      ['through a proxy', { 'x-forwarded-for': '127.0.0.1' }],
      ['from the page of another site', { origin: 'http://evil.test' }],
    ])('is refused %s, and is still good then', async (_name, headers) => {
      const { key } = await gateway.newTeam();
      const code = await makeCode(key);
      expect(await exchange(code, headers)).toMatchObject({ status: 403, body: { error: 'forbidden' } });
      expect(await exchange(code)).toMatchObject({ status: 201 });
    });

    it('is refused under a name that was made to lead here', async () => {
      const code = await makeCode((await gateway.newTeam()).key);
      expect(await postUnderName('evil.test', '/console/sign-in', { code })).toBe(403);
    });
  });

  /** `fetch` sets `Host` by itself. */
  function postUnderName(host: string, path: string, body: object): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        gateway.url + path,
        { method: 'POST', headers: { host, 'content-type': 'application/json' } },
        (answer) => resolve(answer.resume().statusCode),
      );
      request.on('error', reject).end(JSON.stringify(body));
    });
  }
});

function policyOf(answer: Response): Record<string, string[]> {
  const parts = answer.headers.get('content-security-policy')!.split(';');
  return Object.fromEntries(
    parts.map((part) => part.trim().split(' ')).map(([name, ...sources]) => [name!, sources]),
  );
}
