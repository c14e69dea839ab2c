import {
  findRun,
  getRun,
  postRunMessage,
  respondToHumanRequest,
  startRun,
  stopRun,
  streamRunEvents,
} from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { ConfigError } from '@aos/platform';
import { loadServiceConfig } from '@aos/service';
import { uuidv7 } from 'uuidv7';
import { RunDispatch } from '../src/run-core/claims/run-dispatch.js';
import { service } from '../src/index.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

/** Opened by the setting; nothing is sent there, for no dispatcher runs here. */
const address = 'http://10.1.2.3/hook?token=hidden';
const told = ['run.started', 'run.paused', 'run.completed', 'run.failed', 'human_request.created'];

describe('per-run callbacks', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns({ environment: { EGRESS_ALLOW_CIDRS: '10.0.0.0/8' } });
  });

  afterAll(() => runs?.stop());

  const post = (runId: string, message: string) =>
    runs.call(postRunMessage, { params: { run_id: runId }, body: { message } });

  /** The run's events in the outbox, each with the address it is to be sent to. */
  const outbox = async (runId: string) => {
    const rows = await runs.database.query<{
      event: string;
      run_seq: number;
      meta: { callback_url?: string };
    }>(
      `SELECT event, run_seq, meta FROM runs.logged_event WHERE data ->> 'run_id' = $1 ORDER BY batch_id, place`,
      [runId],
    );
    expect(rows.map(({ run_seq: seq }) => seq)).toEqual(rows.map((_, n) => n + 1));
    return rows.map(({ event, meta }) => [event, meta.callback_url]);
  };

  /** What the outbox must hold of a run with these events. */
  const withAddress = (names: readonly string[], url = address) =>
    names.map((name) => [name, told.includes(name) ? url : undefined]);

  async function refused(body: object, key?: string) {
    const agentId = await runs.agent(['finish Done']);
    const request = { params: { teamId: runs.teamId }, body: { agent_id: agentId, ...body }, key };
    const answers = [await runs.call(startRun, request), await runs.call(startRun, request)];
    expect(await runs.database.query('SELECT 1 FROM runs.run WHERE agent_id = $1', [agentId])).toEqual([]);
    return answers;
  }

  it('go with what starts, pauses, asks and ends the run, and with nothing else', async () => {
    const agentId = await runs.agent([
      'say Hello',
      'tool no_such_tool {}',
      'ask Which?',
      'finish {{answer}}',
    ]);
    const { id } = await runs.start(agentId, { message: 'go', webhook_url: address });
    const { pending_human_request: request } = await runs.reach(id, 'waiting');
    await runs.call(respondToHumanRequest, {
      params: { run_id: id, request_id: request!.id },
      body: { answers: { 'Which?': 'This' } },
    });
    await runs.reach(id, 'completed');
    const events = await runs.events(id);
    expect(new Set(events)).toEqual(
      new Set([
        'run.message.created',
        'run.started',
        'run.tool_call.completed',
        'human_request.created',
        'run.paused',
        'human_request.responded',
        'run.completed',
      ]),
    );
    expect(await outbox(id)).toEqual(withAddress(events));
  });

  it('stay when a message reopens the run', async () => {
    const { id } = await runs.start(await runs.agent(['fail Broken', 'ask Which?']), {
      webhook_url: address,
    });
    await runs.reach(id, 'failed');
    await post(id, 'again');
    await runs.reach(id, 'waiting');
    await runs.call(stopRun, { params: { run_id: id } });
    expect(await outbox(id)).toEqual(withAddress(await runs.events(id)));
    expect((await outbox(id)).filter(([, url]) => url).map(([event]) => event)).toEqual([
      'run.started',
      'run.failed',
      'human_request.created',
      'run.paused',
      'run.completed',
    ]);
  });

  it('begin with the claim where no worker was free at the start', async () => {
    const reserve = import.meta.jest
      .spyOn(runs.running.app.get(RunDispatch), 'reserve')
      .mockReturnValue(undefined);
    try {
      const agentId = await runs.agent(['finish Done']);
      const [silent, { id }] = await Promise.all([
        runs.start(agentId),
        runs.start(agentId, { webhook_url: address }),
      ]);
      await runs.reach(id, 'completed');
      const names = ['run.started', 'run.message.created', 'run.completed'];
      expect(await outbox(id)).toEqual(withAddress(names));
      await runs.reach(silent.id, 'completed');
      expect(await outbox(silent.id)).toEqual(names.map((name) => [name, undefined]));
    } finally {
      reserve.mockRestore();
    }
  });

  it('are none for a run without an address', async () => {
    const agentId = await runs.agent(['finish Done']);
    const [silent, loud] = await Promise.all([
      runs.start(agentId),
      runs.start(agentId, { webhook_url: address }),
    ]);
    await runs.reach(silent.id, 'completed');
    await runs.reach(loud.id, 'completed');
    const names = ['run.started', 'run.message.created', 'run.completed'];
    expect(await outbox(silent.id)).toEqual(names.map((name) => [name, undefined]));
    expect(await outbox(loud.id)).toEqual(withAddress(names));
  });

  it('take callback_url for webhook_url, and go to the plain spelling', async () => {
    const agentId = await runs.agent(['finish Done']);
    const { id } = await runs.start(agentId, { callback_url: 'HTTP://0x0A.1.2.3:80/hook' });
    await runs.reach(id, 'completed');
    expect(await outbox(id)).toContainEqual(['run.completed', 'http://10.1.2.3/hook']);
  });

  it('show their address to nobody', async () => {
    const body = { agent_id: await runs.agent(['finish Done']), webhook_url: address };
    const started = await runs.call(startRun, { params: { teamId: runs.teamId }, body });
    const params = { run_id: started.body.run_id };
    await runs.reach(params.run_id, 'completed');
    const shown = [
      started,
      await runs.call(getRun, { params }),
      await runs.call(streamRunEvents, { params, query: { after: '0' } }),
    ];
    expect(shown.map(({ status }) => status)).toEqual([201, 200, 200]);
    for (const { text } of shown) expect(text).not.toMatch(/10\.1\.2\.3|webhook_url|callback_url/);
  });

  it.each([
    ['http://127.0.0.1/', 'address'],
    ['http://[::1]/', 'address'],
    ['http://169.254.169.254/latest/meta-data', 'address'],
    ['http://localhost/', 'local name'],
    ['ftp://example.com/', 'http://'],
    ['http://user:password@10.1.2.3/', 'user name'],
    ['http://10.1.2.3:25/', 'port'],
    ['hook', 'http://'],
  ])('are refused to %s', async (url, reason) => {
    const [answer] = await refused({ webhook_url: url });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_webhook_url' } });
    expect(answer!.body.message).toMatch(/^webhook_url: /);
    expect(answer!.body.message).toContain(reason);
  });

  it('are refused under the alias too, and for the shape alone', async () => {
    expect((await refused({ callback_url: 'http://127.0.0.1/' }))[0]!.body.error).toBe('invalid_webhook_url');
    expect((await refused({ webhook_url: 7 }))[0]!.body.error).toBe('invalid_request');
    expect((await refused({ webhook_url: '' }))[0]!.body.error).toBe('invalid_request');
  });

  it('keep a refusal for its key', async () => {
    const [first, again] = await refused({ webhook_url: 'http://127.0.0.1/' }, uuidv7());
    expect([first!.status, first!.replayed]).toEqual([400, false]);
    expect(again).toEqual({ ...first, replayed: true });
  });

  it('keep the service from starting with ranges that are none', () => {
    const load = (ranges: string) =>
      loadServiceConfig(service.name, service.configSchema, {
        ...runs.environment,
        EGRESS_ALLOW_CIDRS: ranges,
      });
    expect(() => load('10.0.0.0/8,localhost')).toThrow(ConfigError);
    expect(() => load('10.0.0.0/8,localhost')).toThrow('EGRESS_ALLOW_CIDRS: must be address ranges');
    expect(load('').EGRESS_ALLOW_CIDRS).toBe('');
  });
});

describe('internal.findRun', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(() => runs?.stop());

  it('finds a run for its team and for no other', async () => {
    const { id } = await runs.start(await runs.agent(['finish Done']));
    const services = runs.running.app.get(ServiceClient);
    const ask = (team_id: string, run_id: string) => services.call(findRun, { team_id, run_id });
    expect(await ask(runs.teamId, id)).toEqual({ found: true });
    expect(await ask(uuidv7(), id)).toEqual({ found: false });
    expect(await ask(runs.teamId, uuidv7())).toEqual({ found: false });
  });
});
