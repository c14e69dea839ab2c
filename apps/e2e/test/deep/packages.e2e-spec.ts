import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { connectToProduct, type ConnectedProduct } from '../../src/shared-product.js';
import { makeAgent, steps } from '../../src/sample-agents.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

const run = promisify(execFile);
const folderOf = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

const program = `
import { createClient } from '@aos/client';
const client = createClient({ baseUrl: process.env.BASE, apiKey: process.env.KEY, teamId: process.env.TEAM });
const { run } = await client.startRun({ agent_id: process.env.AGENT, message: 'package', wait_seconds: 30 });
console.log(run.result);
`;

describe('the packages of the client and the command line, in an empty project', () => {
  let project: string;
  let packages: string[];
  let product: ConnectedProduct;
  let team: Team;

  beforeAll(async () => {
    product = await connectToProduct();
    team = await newTeam(await connectAdmin(product));
    project = await mkdtemp(join(tmpdir(), 'packages-'));
    const pack = ['pack', '--ignore-scripts', '--loglevel', 'error', '--pack-destination', project];
    const [client, cli] = await Promise.all([
      run('npm', pack, { cwd: folderOf('libs/client') }),
      run(process.execPath, [folderOf('tools/pack-cli.mjs'), '--to', project]),
    ]);
    await writeFile(join(project, 'package.json'), '{"type": "module"}');
    await writeFile(join(project, 'program.js'), program);
    packages = [client, cli].map(({ stdout }) => `./${stdout.trim()}`);
    // Offline: they need nothing else.
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...packages], { cwd: project });
  });

  afterAll(async () => {
    if (project) await rm(project, { recursive: true, force: true });
    await product?.disconnect();
  });

  it('run', async () => {
    const agent = await makeAgent(team, steps('finish Hello, {{message}}!'));
    const account = { BASE: product.urls[0]!, KEY: team.key, TEAM: team.id, AGENT: agent };
    const env = { PATH: process.env['PATH'], ...account };
    const own = await run(process.execPath, ['program.js'], { cwd: project, env });
    expect(own.stdout).toBe('Hello, package!\n');
    const aos = join(project, 'node_modules', '.bin', 'aos');
    const options = {
      cwd: project,
      env: { PATH: process.env['PATH'], AOS_BASE_URL: account.BASE, AOS_API_KEY: account.KEY },
    };
    const started = await run(
      aos,
      ['runs', 'start', '--agent', agent, '--message', 'you', '--wait', '30'],
      options,
    );
    expect(started.stdout.trimEnd().endsWith('Hello, you!')).toBe(true);
    const { stdout: version } = await run(aos, ['--version'], options);
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('have no fault that publint finds', async () => {
    for (const path of packages) {
      const { buffer: tarball } = new Uint8Array(await readFile(join(project, path)));
      const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
      expect([path, messages.map((message) => formatMessage(message, pkg))]).toEqual([path, []]);
    }
  });

  it('have types for every resolver of ES modules, as attw finds', async () => {
    const [client, cli] = await Promise.all(
      packages.map(async (path) =>
        checkPackage(createPackageFromTarballData(await readFile(join(project, path)))),
      ),
    );
    // ADR 36: there is no CommonJS.
    expect(client).toMatchObject({
      types: { kind: 'included' },
      problems: [
        { kind: 'NoResolution', resolutionKind: 'node10' },
        { kind: 'CJSResolvesToESM', resolutionKind: 'node16-cjs' },
      ],
    });
    // A program, which nobody imports.
    expect(cli).toMatchObject({ types: false });
  });
});
