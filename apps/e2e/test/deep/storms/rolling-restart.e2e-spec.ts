import { createAgent, getRun, listRuns, serviceNames, startRun, type Operation } from '@aos/contracts';
import { eventually, ofStorm, seededRandom } from '@aos/testing';
import type { ApiClient, CallOptions } from '../../../src/api-client.js';
import { envelopeOf, receivedAt } from '../../../src/received-events.js';
import { ReadyGateways } from '../../../src/ready-gateways.js';
import { makeWebhook } from '../../../src/sample-webhooks.js';
import { startStack, type BehindGateway, type RunningProcess, type Stack } from '../../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../../src/team.js';

/** Two replicas of each service. The long form replaces each of them. */
const rounds = ofStorm({ short: 1, long: 2 });
/** On a machine with two cores, which start twelve processes at first. */
const maxTotalMs = ofStorm({ short: 180_000, long: 600_000 });
const replaced = ofStorm<readonly string[]>({
  short: ['gateway', 'runs', 'webhook-dispatcher'],
  long: serviceNames,
});
const clients = ofStorm({ short: 4, long: 8 });
const path = '/ended';
/** The folder of another version, whose processes are replaced by those of this one: `npm run rolling-upgrade`. */
const oldVersion = process.env['ROLLING_FROM'] || undefined;
const random = seededRandom();
const behind = serviceNames.filter((name): name is Exclude<typeof name, 'gateway'> => name !== 'gateway');
/** Some let go of the run, so that it changes hands. */
const steps = ['say one', 'wait 200', 'say two', 'wait 300', 'finish Done'];
const messages = ['one', 'two', 'Done'];

describe('a rolling restart under load', () => {
  let stack: Stack;
  let team: Team;
  let gateways: ReadyGateways;
  let client: ApiClient;

  beforeAll(async () => {
    stack = await startStack({
      together: false,
      gateways: 2,
      services: [...behind, ...behind] satisfies BehindGateway[],
      environment: { SHUTDOWN_DELAY_MS: '500' },
      checkout: oldVersion,
    });
    const admin = await connectAdmin(stack);
    team = await newTeam(admin);
    client = team.client;
    gateways = new ReadyGateways(stack.urls);
    await gateways.areAllReady();
    await makeWebhook(team, stack.receiver.url(path), ['run.completed']);
  });

  afterAll(async () => {
    await gateways?.stop();
    await stack?.stop();
  });

  const params = () => ({ teamId: team.id });
  const anywhere = <Body>(operation: Operation, options: CallOptions) =>
    gateways.use((url) => client.at(url).succeed<Body>(operation, options));

  async function newAgent(): Promise<string> {
    const input = ['```steps', ...steps, '```'].join('\n');
    const body = { build: { config: { data: { input } } } };
    return (await client.succeed<{ agent_id: string }>(createAgent, { params: params(), body })).agent_id;
  }

  it(
    'fails no request, loses and doubles no run and no delivery',
    async () => {
      const agentId = await newAgent();
      const started: string[] = [];
      const failures: string[] = [];
      let over = false;
      let phase = 'before all';

      /** What a client that tries nothing twice sees. */
      async function attempt<T>(what: string, call: () => Promise<T>): Promise<T | undefined> {
        try {
          return await call();
        } catch (error) {
          failures.push(`${what}, ${phase}: ${String(error)}`);
          return undefined;
        }
      }

      const load = Array.from({ length: clients }, async () => {
        while (!over) {
          const wait = random.whole(0, 2) === 0 ? { wait_seconds: 5 } : {};
          const body = { agent_id: agentId, message: 'go', ...wait };
          const made = await attempt('startRun', () =>
            anywhere<{ run_id: string }>(startRun, { params: params(), body }),
          );
          if (!made) continue;
          started.push(made.run_id);
          await attempt('getRun', () => anywhere(getRun, { params: { run_id: made.run_id } }));
          await attempt('listRuns', () => anywhere(listRuns, { params: params() }));
          await attempt('createAgent', newAgentSomewhere);
        }
      });
      const newAgentSomewhere = async () => {
        const body = { name: `Agent ${started.length}`, build: { config: { data: { input: 'Be kind.' } } } };
        return anywhere(createAgent, { params: params(), body });
      };

      const codes: (number | null)[] = [];
      for (let round = 0; round < rounds; round += 1) {
        for (const service of replaced) {
          const before = started.length;
          phase = `while a replica of ${service} is replaced, round ${round}`;
          // The oldest is the first: each round has another.
          codes.push(await replace(stack.processes.find((process) => process.service === service)!));
          phase = `after a replica of ${service} was replaced, round ${round}`;
          await gateways.areAllReady();
          // Some work is done by the new one too, before the next goes.
          await eventually(() => expect(started.length).toBeGreaterThan(before + clients));
        }
      }
      over = true;
      await Promise.all(load);

      expect(failures).toEqual([]);
      expect(codes.filter((code) => code !== 0)).toEqual([]);
      expect(new Set(started).size).toBe(started.length);
      await eventually(async () => expect(await unended()).toEqual([]), { timeoutMs: 60_000 });
      expect(await runIds()).toEqual(started.toSorted());
      await expectEachStepOnce();
      await eventually(() => expect(toldOf().size).toBe(started.length), { timeoutMs: 60_000 });
      const told = toldOf();
      expect([...told.keys()].sort()).toEqual(started.toSorted());
      expect([...told].filter(([, times]) => times !== 1)).toEqual([]);
    },
    maxTotalMs,
  );

  /** An old version may take no more requests at once: a cluster sends none by then. */
  async function replace(process: RunningProcess): Promise<number | null> {
    const { url } = process;
    const isWarned = oldVersion !== undefined && url !== undefined;
    if (isWarned) await gateways.leaveOut(url);
    const code = await stack.replace(process);
    if (isWarned) gateways.takeBack(url);
    return code;
  }

  async function unended(): Promise<unknown[]> {
    return stack.database.query(`SELECT id, status FROM runs.run WHERE status <> 'completed'`);
  }

  async function runIds(): Promise<string[]> {
    const rows = await stack.database.query<{ id: string }>('SELECT id FROM runs.run ORDER BY id::text');
    return rows.map(({ id }) => id);
  }

  /** What each run has said, in its order. */
  async function expectEachStepOnce(): Promise<void> {
    const rows = await stack.database.query<{ id: string; said: string[] }>(
      `SELECT run.id, array_agg(message.text_content ORDER BY message.seq) AS said
         FROM runs.run JOIN runs.run_message AS message ON message.run_id = run.id
        WHERE message.role = 'assistant' GROUP BY run.id`,
    );
    expect(rows.filter(({ said }) => said.join() !== messages.join())).toEqual([]);
  }

  /** How often the receiver was told of the end of each run. */
  function toldOf(): Map<string, number> {
    const times = new Map<string, number>();
    for (const delivery of receivedAt(stack.receiver, path)) {
      const { run_id: id } = envelopeOf(delivery).data as { run_id: string };
      times.set(id, (times.get(id) ?? 0) + 1);
    }
    return times;
  }
});
