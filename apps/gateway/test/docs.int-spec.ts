import { operations } from '@aos/contracts';
import { openApiDocument } from '../src/openapi/openapi-document.js';
import { startGatewayInProcess, type GatewayInProcess } from './gateway-in-process.js';

describe('the description of the interface', () => {
  let gateway: GatewayInProcess;

  beforeAll(async () => {
    gateway = await startGatewayInProcess();
  });

  afterAll(async () => {
    await gateway?.stop();
  });

  const get = (path: string) => fetch(new URL(path, gateway.url));

  it('is served without a credential, as the table makes it', async () => {
    const answer = await get('/v2/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const document = (await answer.json()) as { servers: { url: string }[] };
    expect(document).toEqual(openApiDocument(operations, document.servers[0]!.url));
  });

  it('has a page that works without any other server', async () => {
    const answer = await get('/docs');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    const page = await answer.text();
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1]!);
    expect(addresses.length).toBeGreaterThanOrEqual(3);
    for (const address of addresses) {
      expect(address).toMatch(/^\/docs\/[\w.-]+$/);
      const asset = await get(address);
      expect([address, asset.status]).toEqual([address, 200]);
      expect((await asset.text()).length).toBeGreaterThan(0);
      expect(asset.headers.get('content-type')).toMatch(
        address.endsWith('.css') ? /^text\/css/ : /^text\/javascript/,
      );
      expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(page).not.toMatch(/https?:\/\/|(src|href)="\/\//);
  });

  it('starts the reader on this server’s document, with no one else asked', async () => {
    const script = await (await get('/docs/start.js')).text();
    expect(script).toContain("url: '/v2/openapi.json'");
    expect(script).toContain('validatorUrl: null');
    expect(script).not.toMatch(/https?:/);
  });

  it('lets the page load nothing from elsewhere, and run no script of its own text', async () => {
    const answer = await get('/docs');
    const policy = Object.fromEntries(
      answer.headers
        .get('content-security-policy')!
        .split(';')
        .map((part) => part.trim().split(' '))
        .map(([name, ...sources]) => [name!, sources]),
    );
    expect(policy['default-src']).toEqual(["'none'"]);
    expect(policy['script-src']).toEqual(["'self'"]);
    expect(policy['connect-src']).toEqual(["'self'"]);
    expect(policy['frame-ancestors']).toEqual(["'none'"]);
    expect(
      Object.values(policy)
        .flat()
        .filter((source) => /^\*|:\/\//.test(source)),
    ).toEqual([]);
    expect(await answer.text()).not.toMatch(/<script>|<script(?![^>]*src=)/);
  });
});
