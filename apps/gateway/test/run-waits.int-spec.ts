import { randomUUID } from 'node:crypto';
import { startRun } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { RunsBehindGateway } from './runs-behind-gateway.js';

interface Started {
  readonly run_id: string;
  readonly status: string;
  readonly run: Record<string, unknown>;
}

interface Answered {
  readonly status: number;
  readonly body: Started;
  readonly replayed: string | null;
}

describe('wait_seconds of startRun', () => {
  let product: RunsBehindGateway;

  beforeAll(async () => {
    product = await RunsBehindGateway.start();
  });

  afterAll(async () => {
    await product?.stop();
  });

  afterEach(async () => {
    product.runs.atStart = undefined;
    await eventually(async () => expect(await product.open('waits')).toBe(0));
  });

  async function start(
    waitSeconds: unknown,
    { key, url, signal, bearer }: { key?: string; url?: string; signal?: AbortSignal; bearer?: string } = {},
  ): Promise<Answered> {
    const headers = {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    };
    const answer = await product.post(
      `/v2/teams/${product.teamId}/runs`,
      { agent_id: product.agentId, wait_seconds: waitSeconds },
      { signal, headers },
      url,
    );
    return {
      status: answer.status,
      body: (await answer.json()) as Started,
      replayed: answer.headers.get('idempotency-replayed'),
    };
  }

  /** Starts a run and waits until the gateway does. */
  async function startAndWait(options: Parameters<typeof start>[1] = {}) {
    const before = product.runs.newest;
    const waits = await product.open('waits', options.url);
    const answer = start(60, options);
    // A test that fails must fail by its own words.
    answer.catch(() => undefined);
    await eventually(async () => expect(await product.open('waits', options.url)).toBe(waits + 1));
    const runId = product.runs.newest!;
    expect(runId).not.toBe(before);
    return { answer, runId };
  }

  it('answers at once without it', async () => {
    const { status, body } = await start(0);
    expect([status, body.status]).toEqual([201, 'pending']);
    expect(product.runs.looks.get(body.run_id)).toBeUndefined();
  });

  it.each(['completed', 'failed', 'stopped', 'waiting'] as const)(
    'answers with the run when it is %s, in the shape of startRun',
    async (status) => {
      const { answer, runId } = await startAndWait();
      product.runs.change(runId, { status: 'running' });
      product.runs.change(runId, { status });
      const answered = await answer;
      expect(answered).toMatchObject({ status: 201, replayed: null });
      expect(Object.keys(answered.body).sort()).toEqual(['run', 'run_id', 'status']);
      expect(startRun.response.parse(answered.body)).toMatchObject({
        run_id: runId,
        status,
        run: { id: runId, status },
      });
    },
  );

  it('answers by the news of the end, without a look', async () => {
    const { answer, runId } = await startAndWait();
    const { run: started } = product.runs.find(runId, product.teamId);
    const outcome = {
      result: 'Done',
      error: null,
      stop_reason: null,
      usage: { steps: 2, tool_calls: 1, input_tokens: 30, output_tokens: 4 },
      started_at: '2026-01-01T00:00:00.001Z',
      completed_at: '2026-01-01T00:00:00.002Z',
      updated_at: '2026-01-01T00:00:00.003Z',
    };
    const looks = product.runs.looks.get(runId);
    product.runs.change(runId, { status: 'completed', outcome });
    const { body } = await answer;
    expect(body).toEqual({
      run_id: runId,
      status: 'completed',
      run: { ...started, status: 'completed', pending_reason: null, ...outcome },
    });
    expect(product.runs.looks.get(runId)).toBe(looks);
  });

  it('is woken by news, and finds out by itself when the news is lost', async () => {
    // Begun first, so that of two that only look it is the first to see.
    const untold = await startAndWait();
    const told = await startAndWait();
    // Both have looked twice: the next look is seconds away.
    await eventually(() => {
      for (const { runId } of [told, untold]) expect(product.runs.looks.get(runId)).toBe(2);
    });
    product.runs.change(untold.runId, { status: 'completed', told: false });
    product.runs.change(told.runId, { status: 'completed' });
    const first = await Promise.race([told.answer, untold.answer]);
    expect(first.body).toMatchObject({ run_id: told.runId, status: 'completed' });
    expect((await untold.answer).body).toMatchObject({ run_id: untold.runId, status: 'completed' });
  });

  it('is told at once of a run that had ended before the wait began', async () => {
    product.runs.atStart = { status: 'completed', events: 2, told: false };
    const untold = start(60);
    await eventually(async () => expect(await product.open('waits')).toBe(1));
    product.runs.atStart = { status: 'completed', events: 2 };
    const told = start(60);
    // The one that was not told has to look first.
    const first = await Promise.race([told.then(() => 'told'), untold.then(() => 'untold')]);
    expect(first).toBe('told');
    expect([(await told).body.status, (await untold).body.status]).toEqual(['completed', 'completed']);
  });

  it('answers with the present state when the time is over', async () => {
    product.runs.atStart = { status: 'running' };
    const { status, body } = await start(0.2);
    expect([status, body.status, body.run['status']]).toEqual([201, 'running', 'running']);
  });

  it('answers as the run was started when its owner is away', async () => {
    const { answer, runId } = await startAndWait({ url: product.gateway.url });
    const short = start(0.5);
    await eventually(async () => expect(await product.open('waits')).toBe(2));
    await product.runs.stop();
    try {
      expect(await short).toMatchObject({ status: 201, body: { status: 'pending' } });
    } finally {
      await product.runs.start();
    }
    product.runs.change(runId, { status: 'completed', told: false });
    expect((await answer).body.status).toBe('completed');
  });

  it('does not tell the result to a credential that was revoked meanwhile', async () => {
    const { id, key: bearer } = await product.newKey();
    const { answer, runId } = await startAndWait({ bearer });
    await product.request(`/v2/teams/${product.teamId}/api-keys/${id}`, { method: 'DELETE' });
    const headers = { authorization: `Bearer ${bearer}` };
    await eventually(async () => expect((await product.request('/v2/teams', { headers })).status).toBe(401));
    product.runs.change(runId, { status: 'completed' });
    expect(await answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
  });

  it('leaves no waiter behind when the client goes', async () => {
    const client = new AbortController();
    const { answer } = await startAndWait({ signal: client.signal });
    client.abort();
    await expect(answer).rejects.toThrow();
    await eventually(async () => expect(await product.open('waits')).toBe(0));
  });

  it('waits again on a replay, and shows the present state', async () => {
    const client = new AbortController();
    const key = randomUUID();
    const { answer, runId } = await startAndWait({ key, signal: client.signal });
    client.abort();
    await expect(answer).rejects.toThrow();
    await eventually(async () => expect(await product.open('waits')).toBe(0));

    const replay = start(60, { key });
    await eventually(async () => expect(await product.open('waits')).toBe(1));
    product.runs.change(runId, { status: 'completed' });
    const expected = { status: 201, replayed: 'true', body: { run_id: runId, status: 'completed' } };
    expect(await replay).toMatchObject(expected);
    // Once more when the run has ended.
    expect(await start(60, { key })).toMatchObject(expected);
  });

  it('takes null for no wait at all', async () => {
    const { status, body } = await start(null);
    expect([status, body]).toEqual([201, expect.objectContaining({ status: 'pending' })]);
  });

  it.each([61, -1, '5'])('passes on the refusal of %p', async (seconds) => {
    const { status, body } = await start(seconds);
    expect([status, body]).toEqual([
      400,
      { error: 'invalid_request', message: expect.stringContaining('wait_seconds') as string },
    ]);
  });

  it('ends with the process: the client hears how far the run is, and the shutdown is clean', async () => {
    const gateway = await product.anotherGateway();
    const { answer, runId } = await startAndWait({ url: gateway.url });
    product.runs.change(runId, { status: 'running', told: false });
    const ended = await gateway.shutdown.run('a test');
    expect(await answer).toMatchObject({ status: 201, body: { run_id: runId, status: 'running' } });
    expect(ended.clean).toBe(true);
    await gateway.close();
  });

  it('ends with the process also when the owner has gone before', async () => {
    const gateway = await product.anotherGateway();
    const { answer, runId } = await startAndWait({ url: gateway.url });
    await product.runs.stop();
    try {
      const ended = await gateway.shutdown.run('a test');
      expect(await answer).toMatchObject({ status: 201, body: { run_id: runId, status: 'pending' } });
      expect(ended.clean).toBe(true);
    } finally {
      await product.runs.start();
      await gateway.close();
    }
  });
});
