import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Case, type Client } from '@aos/client';
import { runCommand, type Account, type CommandResult } from '../../src/command-line.js';
import { connectToDeployment, type Deployment } from '../../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

const procedure = (...steps: string[]) => ['```steps', ...steps, '```'].join('\n');

describe('every command', () => {
  let product: Deployment;
  let team: Team;
  let account: Account;
  let client: Client;
  let folder: string;

  beforeAll(async () => {
    product = await connectToDeployment();
    team = await newTeam(await connectAdmin(product));
    account = { baseUrl: product.urls[0]!, key: team.key };
    client = createClient({ baseUrl: account.baseUrl, apiKey: account.key, teamId: team.id });
    folder = await mkdtemp(join(tmpdir(), 'command-line-'));
  });

  afterAll(async () => {
    if (folder) await rm(folder, { recursive: true });
    await product?.disconnect();
  });

  const aos = (...args: string[]) => runCommand(account, args);

  /** What a program reads. */
  async function json<T>(...args: string[]): Promise<T> {
    const { exitCode, out, err } = await aos('--json', ...args);
    expect([exitCode, err]).toEqual([0, '']);
    return JSON.parse(out) as T;
  }

  async function makeAgent(name: string, input: string): Promise<string> {
    return (await client.createAgent({ name, build: { config: { data: { input } } } })).agent_id;
  }

  it.each<[string, () => Promise<CommandResult>, number, string]>([
    ['nobody is signed in', () => runCommand(undefined, ['runs', 'list']), 2, 'aos login'],
    [
      'the key is unknown',
      () => runCommand({ ...account, key: 'aos_nothing' }, ['runs', 'list']),
      2,
      'aos login',
    ],
    [
      'there is no such run',
      () => aos('runs', 'get', '00000000-0000-7000-8000-000000000000'),
      3,
      'does not exist',
    ],
    ['there is no such agent', () => aos('agents', 'get', 'Nobody'), 3, 'No agent is called "Nobody".'],
    ['the service refuses it', () => aos('queues', 'create', ''), 1, 'name'],
    [
      'the service is away',
      () => runCommand({ ...account, baseUrl: 'http://127.0.0.1:9' }, ['runs', 'list']),
      1,
      'could not be reached',
    ],
    ['the option is unknown', () => aos('runs', 'list', '--colour'), 1, "unknown option '--colour'"],
  ])('tells scripts apart: %s', async (_, run, exitCode, message) => {
    const result = await run();
    expect(result.exitCode).toBe(exitCode);
    expect(result.err).toContain(message);
    expect(result.out).toBe('');
  });

  it('keeps who has signed in, for that user alone', async () => {
    const AOS_CONFIG = join(folder, 'account', 'account.json');
    const signIn = ['--base-url', account.baseUrl, '--key', account.key, 'login'];
    const signedIn = await runCommand(undefined, signIn, { AOS_CONFIG });
    expect([signedIn.exitCode, signedIn.out]).toEqual([0, expect.stringContaining(team.id) as string]);
    const { out } = await runCommand(undefined, ['--json', 'whoami'], { AOS_CONFIG });
    expect(JSON.parse(out)).toMatchObject({ base_url: account.baseUrl, team: { id: team.id } });
    const elsewhere = await runCommand(undefined, ['--base-url', 'http://127.0.0.1:1', 'whoami'], {
      AOS_CONFIG,
    });
    expect([elsewhere.exitCode, elsewhere.err]).toEqual([2, expect.stringContaining(account.baseUrl)]);
    await runCommand(undefined, ['logout'], { AOS_CONFIG });
    const again = await runCommand(undefined, ['--base-url', account.baseUrl, 'login'], {
      AOS_CONFIG,
      AOS_API_KEY: account.key,
    });
    expect([again.exitCode, again.out]).toEqual([0, expect.stringContaining(team.id)]);
    await runCommand(undefined, ['logout'], { AOS_CONFIG });
    expect((await runCommand(undefined, ['whoami'], { AOS_CONFIG })).exitCode).toBe(2);
  });

  it('takes from an agent what was taken out of its folder, and leaves the rest of it as it is', async () => {
    const agentId = await makeAgent('Limited', procedure('finish One'));
    const limited = { plugins: ['http'], options: { max_steps: 7, max_tokens: 1000 } };
    const input = procedure('finish One');
    const { build_id } = await client.createRevision({
      agent_id: agentId,
      config: { data: { ...limited, input } },
    });
    await client.promoteRevision({ build_id });
    const home = join(folder, 'limited');
    await mkdir(home);
    await writeFile(join(home, 'agent.json'), JSON.stringify({ agent_id: agentId, name: 'Limited' }));
    expect((await aos('agents', 'push', home)).out).toBe('Nothing has changed.\n');

    await writeFile(join(home, 'config.json'), '{"plugins": ["http"]}');
    const pushed = await json<{ build_id: string }>('agents', 'push', home, '--promote');
    const { build } = await client.getRevision({ agent_id: agentId, build_id: pushed.build_id });
    expect(build.config.data).toMatchObject({ plugins: ['http'], input, options: { max_steps: 7 } });
    expect(build.config.data.options).not.toHaveProperty('max_tokens');
    expect((await aos('agents', 'push', home)).out).toBe('Nothing has changed.\n');
  });

  it('makes nothing twice where a part of a folder was refused', async () => {
    const home = join(folder, 'half-right');
    const schedules = (...given: object[]) =>
      writeFile(
        join(home, 'schedules.json'),
        JSON.stringify(given.map((one) => ({ enabled: false, ...one }))),
      );
    await mkdir(home);
    await writeFile(join(home, 'agent.json'), '{"name": "Half right"}');
    await writeFile(join(home, 'procedure.md'), procedure('finish One'));
    await schedules({ frequency: 'daily' }, { frequency: 'custom', cron: 'every now and then' });
    const refused = await aos('agents', 'push', home);
    expect([refused.exitCode, refused.err]).toEqual([1, expect.stringContaining('cron')]);

    const [made] = JSON.parse(await readFile(join(home, 'schedules.json'), 'utf8')) as [object];
    await schedules(made, { frequency: 'custom', cron: '0 9 * * *' });
    const { agent_id } = await json<{ agent_id: string }>('agents', 'push', home);
    const named = (await client.listAgents({ limit: 100 })).agents.filter(
      ({ name }) => name === 'Half right',
    );
    expect(named.map((agent) => agent.agent_id)).toEqual([agent_id]);
    const { schedules: kept } = await client.listAgentSchedules({ agent_id });
    expect(kept.map(({ frequency }) => frequency).toSorted()).toEqual(['custom', 'daily']);
  });

  it('fills a queue from a file and empties it into another', async () => {
    const { queue_id: queueId } = await json<{ queue_id: string }>('queues', 'create', 'Refunds');
    const rows = join(folder, 'cases.csv');
    await writeFile(rows, 'title,order\nFirst,1\n,2\nThird,3\n');
    const imported = await aos('queues', 'import', queueId, rows);
    expect(imported).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining('2 accepted, 1 rejected.') as string,
    });
    expect(imported.out).toContain('line 3: ');
    const more = ['--data', '{"order": 4}', '--priority', 'high'];
    more.push('--label', 'region=north', '--label', 'region=east');
    const added = await json<Case>('queues', 'add', queueId, '--title', 'Fourth', ...more);
    expect(added.priority).toBe('high');
    expect(added.labels.map(({ key, value }) => `${key}=${value}`).sort()).toEqual([
      'region=east',
      'region=north',
    ]);
    const { out } = await aos('queues', 'export', queueId, '--format', 'ndjson');
    const titles = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { title: string }).title);
    expect(titles).toEqual(['First', 'Third', 'Fourth']);
    expect((await aos('queues', 'cases', queueId, '--search', 'Third')).out).toContain('Third');
    const target = join(folder, 'urgent.csv');
    await aos('queues', 'export', queueId, '--priority', 'high', '-o', target);
    const exported = await readFile(target, 'utf8');
    expect([exported.includes('Fourth'), exported.includes('Third')]).toEqual([true, false]);
  });

  it('tells MCP clients where the service is', async () => {
    const { out } = await aos('mcp', 'config', '--client', 'cursor', '--with-key');
    expect(out).toContain(`${account.baseUrl}/v2/mcp`);
    expect(out).toContain(account.key);
    expect((await aos('mcp', 'config')).out).not.toContain(account.key);
  });
});
