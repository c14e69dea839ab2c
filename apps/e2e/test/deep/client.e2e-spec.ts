import { ApiError, createClient, type Client } from '@aos/client';
import { eventually } from '@aos/testing';
import { startCommand, type Account } from '../../src/command-line.js';
import { startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newTeam } from '../../src/team.js';

const procedure = (...steps: string[]) => ['```steps', ...steps, '```'].join('\n');

describe('the client', () => {
  let stack: Stack;
  let account: Account;
  let client: Client;

  beforeAll(async () => {
    stack = await startStack({ services: ['agents-and-revisions', 'runs', 'webhook-dispatcher'] });
    const team = await newTeam(await connectAdmin(stack));
    account = { baseUrl: stack.urls[0]!, key: team.key };
    client = createClient({ baseUrl: account.baseUrl, apiKey: team.key, teamId: team.id });
  });

  afterAll(async () => {
    await stack?.stop();
  });

  async function makeAgent(...steps: string[]): Promise<string> {
    const { agent_id } = await client.createAgent({
      build: { config: { data: { input: procedure(...steps) } } },
    });
    return agent_id;
  }

  it('gives every row of a list, page after page', async () => {
    const agentId = await makeAgent('finish Done');
    for (let n = 0; n < 5; n += 1) await client.startRun({ agent_id: agentId, message: `${n}` });
    const titles = new Set<string>();
    for await (const run of client.each.listRuns({ agent_id: agentId, limit: 2 })) titles.add(run.run_id);
    expect(titles.size).toBe(5);
  });

  it('starts a run once however often the request is tried', async () => {
    const agentId = await makeAgent('finish Done');
    let isCut = false;
    const losing: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (isCut || init?.method !== 'POST') return answer;
      isCut = true;
      await answer.text();
      throw new TypeError('the answer was lost on the way');
    };
    const { teamId } = { teamId: (await client.getAgent({ agent_id: agentId })).agent.team_id };
    const unlucky = createClient({ baseUrl: account.baseUrl, apiKey: account.key, teamId, fetch: losing });
    const { run_id: runId } = await unlucky.startRun({ agent_id: agentId });
    const { data } = await client.listRuns({ agent_id: agentId });
    expect([isCut, data.map(({ run_id }) => run_id)]).toEqual([true, [runId]]);
  });

  it('tells what the service refuses, by code', async () => {
    const error = await client.startRun({ agent_id: 'x' }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_request',
      requestId: expect.any(String) as string,
    });
    await expect(client.getRun({ run_id: '' })).rejects.toThrow('run_id: is required');
  });

  it('sends files and reads them', async () => {
    const { sandbox_id: id } = await client.createSandbox();
    await client.uploadSandboxFile({ id, path: 'a/b.txt', file: new Blob(['Hello']) });
    const { content, download_url: url } = await client.getSandboxFileContent({ id, path: 'a/b.txt' });
    expect([content, await (await fetch(url)).text()]).toEqual(['Hello', 'Hello']);
  });

  it('misses nothing of a team that was silent until the connection broke', async () => {
    const agentId = await makeAgent('finish Done');
    const { team_id: teamId } = (await client.getAgent({ agent_id: agentId })).agent;
    let ran: string | undefined;
    const breaking: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (ran !== undefined) return answer;
      // Cut off behind its first bytes; the run ends before there is another connection.
      const reader = answer.body!.getReader();
      const { value } = await reader.read();
      await reader.cancel();
      ran = (await client.startRun({ agent_id: agentId, wait_seconds: 30 })).run.run_id;
      await eventually(async () => expect(await completed()).toContain(ran));
      return new Response(value);
    };
    const types = ['run.completed'] as const;
    const completed = async () => {
      const { events } = await client.listEvents({ types, limit: 1000 });
      return events.map(({ data }) => data['run_id']);
    };
    const cut = createClient({ baseUrl: account.baseUrl, apiKey: account.key, teamId, fetch: breaking });
    const stop = new AbortController();
    const seen: unknown[] = [];
    const following = (async () => {
      for await (const { data } of cut.follow.team({ types }, { signal: stop.signal })) seen.push(data);
    })();
    await eventually(() => expect(seen).toContainEqual(expect.objectContaining({ run_id: ran })));
    stop.abort();
    await following;
  });

  it('follows a run and a team through the loss of the gateway, and misses nothing', async () => {
    const agentId = await makeAgent('say One', 'ask Go on?', 'say Two', 'finish Done');
    const stop = new AbortController();
    const [ofRun, ofTeam, connections]: [string[], string[], string[]] = [[], [], []];
    const { run_id: runId } = await client.startRun({ agent_id: agentId });
    const onConnection = (state: string) => connections.push(state);
    const run = (async () => {
      for await (const event of client.follow.run({ run_id: runId }, { onConnection }))
        ofRun.push(event.event);
    })();
    const team = (async () => {
      const options = { signal: stop.signal };
      for await (const event of client.follow.team({ after: 0 }, options)) ofTeam.push(event.id);
    })();
    const command = startCommand(account, ['runs', 'follow', runId]);
    await eventually(() => {
      expect(ofRun).toContain('run.paused');
      expect(command.err()).toContain('aos runs answer');
    });
    const startAgain = await stack.killGateway();
    await eventually(() => {
      expect(connections).toContain('lost');
      expect(command.err()).toContain('Connection lost');
    });
    await startAgain();
    const { pending_human_request: request } = await client.getRun({ run_id: runId });
    await client.respondToHumanRequest({
      run_id: runId,
      request_id: request!.request_id,
      answers: { 'Go on?': 'Yes' },
    });
    await run;
    expect(ofRun.at(-1)).toBe('run.completed');
    expect(ofRun.filter((event) => event === 'run.started')).toHaveLength(1);
    const { exitCode, out } = await command.ended;
    expect([exitCode, out.trimEnd().split('\n').at(-1)]).toEqual([0, 'Done']);
    expect(out.match(/One/g)).toHaveLength(1);
    const feed: string[] = [];
    for await (const { id } of client.each.listEvents({ limit: 7 })) feed.push(id);
    await eventually(() => expect(ofTeam).toEqual(feed));
    stop.abort();
    await team;
  });
});
