import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClientCredentialsProvider } from '@modelcontextprotocol/client';
import { runCommand } from '../../src/command-line.js';
import { connectMcp, generations } from '../../src/mcp-clients.js';
import { startReverseProxy, type ReverseProxy } from '../../src/reverse-proxy.js';
import { startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newOAuthClient, newTeam, type Team } from '../../src/team.js';

const path = '/aos';

describe('programs and a product below a path', () => {
  let stack: Stack;
  let team: Team;
  let base: string;

  beforeAll(async () => {
    stack = await startStack({
      services: ['agents-and-revisions', 'runs'],
      publicUrl: (url) => {
        base = url + path;
        return base;
      },
    });
    team = await newTeam(await connectAdmin(stack));
  });

  afterAll(() => stack?.stop());

  it.each(generations)(
    '%s: a client of MCP finds where to get a token, though it asks at the root of the host',
    async (generation) => {
      const authProvider = new ClientCredentialsProvider({
        ...(await newOAuthClient(team)),
        expectedIssuer: base,
      });
      const client = await connectMcp(base, { generation, authProvider });
      const { structuredContent } = await client.callTool({ name: 'get_team', arguments: {} });
      expect(structuredContent).toMatchObject({ team: { id: team.id } });
      await client.close();
    },
  );

  describe('over TLS', () => {
    let proxy: ReverseProxy;
    let folder: string;

    beforeAll(async () => {
      proxy = await startReverseProxy(path, []);
      proxy.target = stack.urls[0]!;
      folder = await mkdtemp(join(tmpdir(), 'aos-path-'));
      await writeFile(join(folder, 'ca.pem'), proxy.certificate.cert);
    });

    afterAll(async () => {
      await proxy?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it.each([false, true])(
      'the command line works (the proxy takes the path off: %s)',
      async (takesPathOff) => {
        proxy.takesPathOff = takesPathOff;
        const account = { baseUrl: `https://localhost:${proxy.port}${path}`, key: team.key };
        const environment = { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
        for (const args of [
          ['agents', 'list', '--json'],
          ['runs', 'list', '--json'],
        ]) {
          const { exitCode, err } = await runCommand(account, args, environment);
          expect([args, exitCode, err]).toEqual([args, 0, '']);
        }
        const { out } = await runCommand(
          account,
          ['mcp', 'config', '--client', 'json', '--json'],
          environment,
        );
        expect(out).toContain(`${account.baseUrl}/v2/mcp`);
        expect(proxy.strays).toEqual([]);
      },
    );
  });
});
