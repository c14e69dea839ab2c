import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, verifyWebhook, type Client, type Run } from '@aos/client';
import { eventually, startReceiver } from '@aos/testing';
import { runCommand, startCommand, type Account } from '../src/command-line.js';
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
    expect(err).toContain('The run failed.');
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

  it('says what a push would do, what it did, and whether that is live', async () => {
    const agentId = await makeAgent('Looked at', procedure('finish One'));
    const home = join(folder, 'looked-at');
    await aos('agents', 'pull', agentId, home);
    await writeFile(join(home, 'procedure.md'), procedure('dance', 'finish Two'));
    await writeFile(join(home, 'config.json'), JSON.stringify({ options: { max_steps: 7 } }));
    const planned = await aos('agents', 'push', home, '--dry-run');
    for (const line of [
      'procedure.md:',
      '  - finish One',
      '  + dance',
      '  -     "max_steps": 50,',
      '  +     "max_steps": 7,',
    ])
      expect(planned.out.split('\n')).toContain(line);
    expect(planned.out).toContain('Nothing was done. A push would do this:\n- made a revision\n');
    expect((await client.listAgentRevisions({ agent_id: agentId })).total).toBe(1);

    const draft = await aos('agents', 'push', home);
    const [, buildId] = /Revision (\S+) is a draft\. Make it live with: aos agents promote \1$/m.exec(
      draft.out,
    )!;
    expect(draft.err).toMatch(
      /^Warning: The steps of the procedure cannot be followed.*line 2: unknown step "dance"/,
    );
    expect((await aos('agents', 'promote', buildId!)).out).toBe('Revision 2 is live.\n');

    await writeFile(join(home, 'procedure.md'), procedure('finish Three'));
    const live = await aos('agents', 'push', home, '--promote');
    expect(live.out).toMatch(new RegExp(`^Revision \\S+ of agent ${agentId} is live\\.$`, 'm'));
  });

  it('tells its version', async () => {
    const { version } = JSON.parse(
      await readFile(new URL('../../cli/package.json', import.meta.url), 'utf8'),
    ) as { version: string };
    expect(await aos('--version')).toEqual({ exitCode: 0, out: `${version}\n`, err: '' });
  });

  it('makes a new agent from a folder that somebody wrote', async () => {
    const home = join(folder, 'in-git');
    await writeFile(join(home, 'agent.json'), '{"name": "Copy"}');
    const { agent_id } = await json<{ agent_id: string }>('agents', 'push', home);
    expect((await client.getAgent({ agent_id })).agent.name).toBe('Copy');
    expect(JSON.parse(await readFile(join(home, 'agent.json'), 'utf8'))).toEqual({ name: 'Copy', agent_id });
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
});
