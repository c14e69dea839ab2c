import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, verifyWebhook, type Case, type Client, type Run } from '@aos/client';
import { eventually, startReceiver } from '@aos/testing';
import { runCommand, startCommand, type Account, type CommandResult } from '../src/command-line.js';
import { connectToDeployment, type Deployment } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

const procedure = (...steps: string[]) => ['```steps', ...steps, '```'].join('\n');

describe('the command line', () => {
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

  it('starts a run by the name of its agent, lists it and shows it', async () => {
    await makeAgent('Greeter', procedure('finish Hello, {{message}}!'));
    const run = await json<Run>('runs', 'start', '--agent', 'Greeter', '--message', 'you', '--wait', '30');
    expect(run).toMatchObject({ status: 'completed', result: 'Hello, you!', agent_name: 'Greeter' });
    const runs = await json<Run[]>('runs', 'list', '--agent', 'Greeter');
    expect(runs.map(({ run_id }) => run_id)).toEqual([run.run_id]);
    const { out } = await aos('runs', 'get', run.run_id);
    expect(out).toMatch(/^Status: +completed$/m);
    expect(out.trimEnd().endsWith('Hello, you!')).toBe(true);
    const { out: table } = await aos('runs', 'list');
    expect(table.split('\n')[0]).toMatch(/^RUN +STATUS +AGENT +CREATED +TITLE$/);
    expect(table).not.toContain('\u001b');
  });

  it('follows a run to its end and shows what it does', async () => {
    const text = '\u001b[2Jhostile';
    const agent = await makeAgent(
      'Writer',
      procedure(`say ${text}`, 'tool write_file {"path":"a.txt","content":"x"}', 'finish Done'),
    );
    const { exitCode, out, err } = await aos(
      'runs',
      'start',
      '--agent',
      agent,
      '--message',
      'begin',
      '--follow',
    );
    expect([exitCode, out.trimEnd().split('\n').at(-1)]).toEqual([0, 'Done']);
    expect(out).toContain('\ufffd[2Jhostile');
    expect(out).toContain('→ write_file');
    expect(err).toContain('write_file done in');
    const [run] = await json<Run[]>('runs', 'list', '--agent', agent);
    expect((await aos('runs', 'files', run!.run_id)).out).toContain('a.txt');
    const target = join(folder, 'downloaded.txt');
    await aos('runs', 'files', run!.run_id, 'a.txt', '-o', target);
    expect(await readFile(target, 'utf8')).toBe('x');
    // A pipe is given the bytes, without a line break of ours.
    expect((await aos('runs', 'files', run!.run_id, 'a.txt')).out).toBe('x');
    expect((await aos('runs', 'messages', run!.run_id)).out).toContain('→ write_file');
  });

  it('ends with 1 where the run has failed, and says why', async () => {
    const agent = await makeAgent('Failing', procedure('fail no luck'));
    const { exitCode, err } = await aos('runs', 'start', '--agent', agent, '--follow');
    expect(exitCode).toBe(1);
    expect(err).toContain('The run is failed.');
    expect(err).toContain('no luck');
  });

  it('says how to answer a question, and answers it', async () => {
    const agent = await makeAgent(
      'Asking',
      procedure('ask Which size? | small | large', 'finish {{answer}}'),
    );
    const following = startCommand(account, ['runs', 'start', '--agent', agent, '--follow']);
    await eventually(() => expect(following.err()).toContain('Answer it with: aos runs answer '));
    const runId = /aos runs answer (\S+)/.exec(following.err())![1]!;
    expect((await aos('runs', 'answer', runId)).err).toContain('Give an --answer');
    expect((await aos('runs', 'answer', runId, '--answer', '2')).exitCode).toBe(0);
    const { exitCode, out } = await following.ended;
    expect([exitCode, out.trimEnd().split('\n').at(-1)]).toEqual([0, 'large']);
  });

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

  it('takes an agent into a folder and brings it back', async () => {
    const agentId = await makeAgent('In git', procedure('finish One'));
    await client.putAgentMemoryFile({ agent_id: agentId, path: 'notes/a.md', content: 'Remember.' });
    await client.createEvalRubric({ agentId, title: 'Polite', description: 'The answer says "please".' });
    const home = join(folder, 'in-git');
    expect((await aos('agents', 'pull', 'In git', home)).exitCode).toBe(0);
    expect(await readFile(join(home, 'procedure.md'), 'utf8')).toBe(`${procedure('finish One')}\n`);
    expect(await readFile(join(home, 'memory', 'notes', 'a.md'), 'utf8')).toBe('Remember.');
    expect((await aos('agents', 'push', home)).out).toBe('Nothing has changed.\n');

    await writeFile(join(home, 'procedure.md'), procedure('finish Two'));
    await writeFile(join(home, 'memory', 'notes', 'a.md'), 'Remember more.');
    await writeFile(join(home, 'schedules.json'), '[{"frequency": "daily", "time": "09:00"}]');
    const pushed = await json<{ build_id: string; is_live: boolean }>('agents', 'push', home, '--promote');
    expect(pushed.is_live).toBe(true);
    expect((await client.getAgent({ agent_id: agentId })).agent.live_build_id).toBe(pushed.build_id);
    expect((await client.getAgentMemoryFile({ agent_id: agentId, path: 'notes/a.md' })).content).toBe(
      'Remember more.',
    );
    const { rubrics } = await client.getEvalRubrics({ agentId });
    expect(rubrics.map(({ title }) => title)).toEqual(['Polite']);
    const { out } = await aos('runs', 'start', '--agent', 'In git', '--wait', '30');
    expect(out.trimEnd().endsWith('Two')).toBe(true);
    // What came to be is written down, so that nothing is made twice.
    expect((await aos('agents', 'push', home)).out).toBe('Nothing has changed.\n');
    await writeFile(join(home, 'schedules.json'), '[]');
    await aos('agents', 'push', home, '--prune');
    expect((await client.listAgentSchedules({ agent_id: agentId })).total).toBe(0);
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

  it('makes a new agent from a folder that somebody wrote', async () => {
    const home = join(folder, 'in-git');
    await writeFile(join(home, 'agent.json'), '{"name": "Copy"}');
    const { agent_id } = await json<{ agent_id: string }>('agents', 'push', home);
    expect((await client.getAgent({ agent_id })).agent.name).toBe('Copy');
    expect(JSON.parse(await readFile(join(home, 'agent.json'), 'utf8'))).toEqual({ name: 'Copy', agent_id });
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

  it('hands events to a receiver that the service cannot reach, signed as deliveries are', async () => {
    const receiver = await startReceiver();
    const { secret } = await client.getWebhookSecret();
    const args = [
      'webhooks',
      'listen',
      '--forward-to',
      receiver.url('/hooks'),
      '--events',
      'run.completed',
      '--after',
      '0',
    ];
    const listening = startCommand(account, args);
    const agent = await makeAgent('Told', procedure('finish Told'));
    const { run } = await client.startRun({ agent_id: agent, wait_seconds: 30 });
    const told = () => receiver.received.find(({ rawBody }) => rawBody.includes(run.run_id));
    await eventually(() => expect(told()).toBeDefined());
    const { rawBody, headers } = told()!;
    const signature = String(headers['x-service-signature']);
    expect(await verifyWebhook({ body: rawBody.toString(), signature, secret })).toMatchObject({
      event: 'run.completed',
      data: { run_id: run.run_id },
    });
    await eventually(() => expect(listening.out()).toMatch(/run\.completed {2}200/));
    listening.stop();
    await listening.ended;
    await receiver.close();
  });

  it('tells MCP clients where the service is', async () => {
    const { out } = await aos('mcp', 'config', '--client', 'cursor', '--with-key');
    expect(out).toContain(`${account.baseUrl}/v2/mcp`);
    expect(out).toContain(account.key);
    expect((await aos('mcp', 'config')).out).not.toContain(account.key);
  });
});
