import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { TASKS_EXTENSION_ID_V2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { generations, type Generation } from '../src/mcp-clients.js';
import { makeAgent, steps } from '../src/sample-agents.js';
import { connectToDeployment, type Deployment } from '../src/shared-product.js';
import { connectAdmin, newKey, newTeam, type Team } from '../src/team.js';

interface Asked {
  readonly message: string;
  readonly requestedSchema: { readonly properties: Readonly<Record<string, unknown>> };
}

interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: { readonly status: string; readonly run: { readonly result: string | null } };
}

type Answer = (asked: Asked) => { action: 'accept' | 'decline'; content?: Record<string, string | boolean> };

/** An unmodified client: it cannot read tasks, and shows what a server asks. */
interface AskedClient {
  call(name: string, given: Record<string, unknown>): Promise<Result>;
  close(): Promise<void>;
}

const info = { name: 'a client', version: '1.0.0' };

async function connectFormer(url: URL, key: string, answer: Answer | undefined): Promise<AskedClient> {
  const client = new FormerClient(info, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params as unknown as Asked));
  const transport = new FormerTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    call: (name, given) => client.callTool({ name, arguments: given }) as Promise<Result>,
    close: () => client.close(),
  };
}

async function connectPresent(
  url: URL,
  key: string,
  answer: Answer | undefined,
  generation: Generation,
  extensions: Record<string, Record<string, string>> = {},
): Promise<AskedClient> {
  const client = new Client(info, {
    capabilities: { ...(answer ? { elicitation: {} } : {}), extensions },
    versionNegotiation: { mode: generation === generations[1] ? { pin: generation } : 'legacy' },
  });
  if (answer)
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params as unknown as Asked));
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return {
    call: (name, given) => client.callTool({ name, arguments: given }) as Promise<Result>,
    close: () => client.close(),
  };
}

type Connect = (url: URL, key: string, answer: Answer | undefined) => Promise<AskedClient>;

const clients: [string, Connect][] = [
  ['the client before, of 2025-11-25', connectFormer],
  ...generations.map((generation): [string, Connect] => [
    `the present client, of ${generation}`,
    (url, key, answer) => connectPresent(url, key, answer, generation),
  ]),
  [
    'the present client, which declares tasks',
    (url, key, answer) => connectPresent(url, key, answer, generations[1], { [TASKS_EXTENSION_ID_V2]: {} }),
  ],
];

describe.each(clients)('%s', (_, connect) => {
  let product: Deployment;
  let team: Team;
  let endpoint: URL;
  let client: AskedClient;

  beforeAll(async () => {
    product = await connectToDeployment();
    team = await newTeam(await connectAdmin(product));
    endpoint = new URL(`${product.urls[0]!}/v2/mcp`);
  });

  afterEach(() => client.close());

  afterAll(async () => {
    await product?.disconnect();
  });

  const accept =
    (contents: Record<string, Record<string, string | boolean>>, asked: string[] = []): Answer =>
    ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: contents[message]! };
    };

  it('is asked what its run asks, one thing after another, and gets the end', async () => {
    const asked: string[] = [];
    const answers = { 'Shall I?': { approved: true }, 'Which colour?': { 'Which colour?': 'blue' } };
    client = await connect(endpoint, team.key, accept(answers, asked));
    const agentId = await makeAgent(
      team,
      steps('approve Shall I?', 'ask Which colour? | red | blue', 'finish {{answer}}'),
    );
    const result = await client.call('start_run', { agent_id: agentId, wait_seconds: 30 });
    expect(result.structuredContent).toMatchObject({ status: 'completed', run: { result: 'blue' } });
    expect(asked).toEqual(['Shall I?', 'Which colour?']);
  });

  it('denies what it does not approve', async () => {
    client = await connect(endpoint, team.key, accept({ 'Shall I?': { approved: false, comment: 'No' } }));
    const agentId = await makeAgent(team, steps('approve Shall I?', 'finish {{answer}}'));
    const result = await client.call('start_run', { agent_id: agentId, wait_seconds: 30 });
    expect(result.structuredContent?.run.result).toContain('denied');
  });

  it('leaves to others what it declines', async () => {
    let asked = 0;
    client = await connect(endpoint, team.key, () => {
      asked += 1;
      return { action: 'decline' };
    });
    const agentId = await makeAgent(team, steps('approve Shall I?', 'finish Done'));
    const result = await client.call('start_run', { agent_id: agentId, wait_seconds: 3 });
    expect([result.structuredContent?.status, asked]).toEqual(['waiting', 1]);
  });

  it.each([
    ['shows no forms', undefined, ['*']],
    ['may not answer', accept({ 'Shall I?': { approved: true } }), ['mcp:call', 'runs:write', 'runs:read']],
  ] as const)('is told that the run waits where it %s', async (_case, answer, scopes) => {
    const { key } = await newKey(team, { scopes: [...scopes] });
    client = await connect(endpoint, key, answer);
    const agentId = await makeAgent(team, steps('approve Shall I?', 'finish Done'));
    const result = await client.call('start_run', { agent_id: agentId, wait_seconds: 30 });
    expect(result.structuredContent?.status).toBe('waiting');
  });
});
