import { readFile } from 'node:fs/promises';
import type { RunningService } from '@aos/service';
import { startMcpServer, startServiceHere, type ServiceProcess, type TestMcpServer } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { connect, connectedEnvironment } from '../connected-runs.js';
import { agentWith, startKillableRuns, type KillableRuns } from '../tools-under-test.js';

const mebibyte = 1024 * 1024;
const runsAtOnce = 12;

const tool = (description: string) => ({ name: 'a', description, inputSchema: { type: 'object' } });
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** The pages with which the server answers `tools/list`. */
const attacks: Readonly<Record<string, string>> = {
  'pages of 15 MiB': JSON.stringify(tool('x'.repeat(15 * mebibyte))),
  'small arrays without end': `${'[],'.repeat(5_000_000)}[]`,
  '60,000 levels': `{"name":"a","inputSchema":${nested(60_000)}}`,
  'pages without end': JSON.stringify(tool('x'.repeat(100_000))),
};

describe('an MCP server that means harm to the process of all teams', () => {
  let runs: KillableRuns;
  let connections: RunningService;
  let worker: ServiceProcess;
  let server: TestMcpServer;
  let attack = '';

  beforeAll(async () => {
    server = await startMcpServer({}, { name: 'any', call: () => ({ content: [] }) });
    server.intercept = ({ method, id }, response) => {
      if (method !== 'tools/list' || attack === '') return false;
      response.setHeader('content-type', 'application/json');
      response.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":[`);
      response.end(`${attack}],"nextCursor":${JSON.stringify(`after ${JSON.stringify(id)}`)}}}`);
      return true;
    };
    runs = await startKillableRuns(connectedEnvironment);
    connections = await startServiceHere('connections', runs.environment);
    worker = await runs.startWorker();
  });

  afterAll(async () => {
    await connections?.close();
    await runs?.stop();
    await server?.close();
  });

  async function residentMiB(): Promise<number> {
    const status = await readFile(`/proc/${worker.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024;
  }

  /** The most that the process had while something was done. */
  async function maxDuring(work: Promise<unknown>): Promise<number> {
    let most = await residentMiB();
    let isDone = false;
    const ended = work.finally(() => (isDone = true));
    while (!isDone) {
      most = Math.max(most, await residentMiB());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await ended;
    return most;
  }

  it.each(Object.entries(attacks))('neither fills it nor holds up others, with %s', async (_, pages) => {
    const connection = await connect(runs, server.url, { name: `Any ${uuidv7()}` });
    const attacked = await agentWith(runs, ['finish done'], { connections: [connection] });
    const other = runs.otherTeam();
    const undisturbed = await other.agent(['finish Undisturbed']);
    const all = (agentId: string, from: Pick<KillableRuns, 'start' | 'reach'>) =>
      Promise.all(
        Array.from({ length: runsAtOnce }, async () => {
          const { id } = await from.start(agentId);
          return (await from.reach(id, 'completed', 'failed')).run;
        }),
      );
    attack = '';
    for (let round = 0; round < 3; round += 1) await all(attacked, runs);
    await all(undisturbed, other);
    const before = await residentMiB();
    const asked = server.of('tools/list').length;
    attack = pages;
    let ended: Awaited<ReturnType<typeof all>>[] = [];
    const most = await maxDuring(
      Promise.all([all(attacked, runs), all(undisturbed, other), all(attacked, runs)]).then((done) => {
        ended = done;
      }),
    );
    expect(server.of('tools/list').length).toBeGreaterThan(asked);
    const [refused, fine] = ended;
    expect(refused!.map(({ error }) => error?.code)).toEqual(
      Array(runsAtOnce).fill('connection_unavailable'),
    );
    expect(fine!.map(({ status }) => status)).toEqual(Array(runsAtOnce).fill('completed'));
    const waits = fine!.map(({ created_at: from, completed_at: to }) => Date.parse(to!) - Date.parse(from));
    expect(Math.max(...waits)).toBeLessThan(5_000);
    expect(most - before).toBeLessThan(60);
  });
});
