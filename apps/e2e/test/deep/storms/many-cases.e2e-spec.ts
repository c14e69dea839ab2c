import { randomUUID } from 'node:crypto';
import { Agent, request, type ClientRequest } from 'node:http';
import { Readable } from 'node:stream';
import {
  bulkDeleteCases,
  bulkUpdateCasePriority,
  getQueue,
  importCases,
  maxImportBytes,
  maxImportRows,
  type OperationResponse,
} from '@aos/contracts';
import { eventually, ofStorm, seededRandom } from '@aos/testing';
import { growthDuring } from '../../../src/memory-growth.js';
import { makeQueue } from '../../../src/sample-queues.js';
import { startStack, type RunningProcess, type Stack } from '../../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../../src/team.js';

const random = seededRandom();
/** One more than may be in one import, in the long form. */
const rowCount = ofStorm({ short: 6_001, long: maxImportRows + 1 });
/** How often the process dies that takes the rows; what it had in hand is free again after half a minute. */
const kills = ofStorm({ short: 0, long: 2 });
const accepted = Math.min(rowCount, maxImportRows);
const maxTotalMs = ofStorm({ short: 120_000, long: 1_200_000 });
const allowedGrowth = 50 * 1024 * 1024;
/** What is committed together. */
const batch = 500;

type Imported = OperationResponse<typeof importCases>;

const rejected = rowCount - accepted;
const tooMany = {
  line: maxImportRows + 2,
  message: `more than ${maxImportRows} rows in one import; what follows was not read`,
};
const allOfThem: Imported = { accepted, rejected, errors: rejected > 0 ? [tooMany] : [] };

interface Outgoing {
  readonly sent: ClientRequest;
  readonly answered: Promise<{ status: number; body: Imported & { error?: string } }>;
}

describe('as many cases as there may be', () => {
  let stack: Stack;
  let team: Team;

  beforeAll(async () => {
    stack = await startStack({ together: false, services: ['runs', 'agents-and-revisions'] });
    team = await newTeam(await connectAdmin(stack));
  });

  afterAll(async () => {
    await stack?.stop();
  });

  /** A file that is made while it is sent. */
  function* rowsOf(count: number): Generator<string> {
    yield 'title,priority,label:region,customer,note\n';
    for (let n = 1; n <= count; n += 1) {
      yield `Case ${n},${n % 3 === 0 ? 'high' : ''},${n % 2 ? 'north' : 'south'},Customer ${n % 97},${'x'.repeat(n % 50)}\n`;
    }
  }

  function begin(
    queueId: string,
    key: string,
    { agent, headers = {} }: { agent?: Agent; headers?: Record<string, string> } = {},
  ): Outgoing {
    const sent = request(`${stack.urls[0]}/v2/queues/${queueId}/cases/import`, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${team.key}`,
        'content-type': 'text/csv',
        'idempotency-key': key,
        ...headers,
      },
    });
    const answered = new Promise<Awaited<Outgoing['answered']>>((resolve, reject) => {
      sent.on('error', reject).on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode!, body: JSON.parse(text) as never }));
        answer.on('error', reject);
      });
    });
    answered.catch(() => undefined);
    return { sent, answered };
  }

  const send = (queueId: string, key: string, rows: Iterable<string>, agent?: Agent) => {
    const outgoing = begin(queueId, key, { agent });
    Readable.from(rows).pipe(outgoing.sent);
    return outgoing;
  };

  /** Sent again until it is answered, as a client does that was cut off. */
  const insist = (queueId: string, key: string, count: number, { patienceMs = maxTotalMs } = {}) =>
    eventually(
      async () => {
        const { sent, answered } = send(queueId, key, rowsOf(count));
        sent.setTimeout(patienceMs, () => sent.destroy());
        const answer = await answered;
        expect(answer).toMatchObject({ status: 200 });
        return answer.body;
      },
      { timeoutMs: maxTotalMs, everyMs: 500 },
    );

  const countOf = async (queueId: string) => {
    const params = { queue_id: queueId };
    const { queue } = await team.client.succeed<OperationResponse<typeof getQueue>>(getQueue, { params });
    return Object.values(queue.case_counts).reduce((sum, count) => sum + count, 0);
  };

  const worker = (): RunningProcess => stack.processes.filter(({ service }) => service === 'runs').at(-1)!;

  it('an upload that breaks off brings nothing; sent again with its key it brings all, once', async () => {
    const queueId = await makeQueue(team);
    const key = randomUUID();
    const text = [...rowsOf(2_000)].join('');
    const { sent, answered } = begin(queueId, key, { headers: { 'content-length': String(text.length) } });
    await new Promise<void>((resolve) => sent.write(text.slice(0, text.length / 2), () => resolve()));
    sent.destroy();
    await expect(answered).rejects.toThrow();
    expect(await countOf(queueId)).toBe(0);
    expect(await insist(queueId, key, 2_000)).toEqual({ accepted: 2_000, rejected: 0, errors: [] });
    expect(await countOf(queueId)).toBe(2_000);
  });

  it('a client that leaves while its rows are taken learns of all of them with its key', async () => {
    const queueId = await makeQueue(team);
    const key = randomUUID();
    const { sent, answered } = send(queueId, key, rowsOf(4_000));
    await eventually(async () => expect(await countOf(queueId)).toBeGreaterThan(0));
    sent.destroy();
    await answered.catch(() => undefined);
    const kept = await countOf(queueId);
    expect(kept % batch).toBe(0);
    expect(await insist(queueId, key, 4_000)).toEqual({ accepted: 4_000, rejected: 0, errors: [] });
    expect(await countOf(queueId)).toBe(4_000);
  });

  it('a file that is too large is refused, before it comes or when it does', async () => {
    const queueId = await makeQueue(team);
    const headers = { 'content-length': String(maxImportBytes + 1) };
    const told = begin(queueId, randomUUID(), { headers });
    told.sent.write('title\n');
    expect(await told.answered).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
    told.sent.destroy();
    const line = `${'x'.repeat(400)}\n`;
    const endless = function* () {
      yield 'title\n';
      for (let bytes = 0; bytes <= maxImportBytes; bytes += line.length * 1_000) yield line.repeat(1_000);
    };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await send(queueId, randomUUID(), endless(), agent).answered).toMatchObject({
      status: 413,
      body: { error: 'payload_too_large' },
    });
    expect(await countOf(queueId)).toBe(0);
    // What was left of it lies in the way of no request that comes after it on the connection.
    expect(await send(queueId, randomUUID(), rowsOf(1), agent).answered).toMatchObject({ status: 200 });
    agent.destroy();
  });

  it(
    `${rowCount} rows come in, are changed and go, in small steps, and no process holds them`,
    async () => {
      // What a process takes once, it takes before the measurement.
      await insist(await makeQueue(team), randomUUID(), 3_000);
      const queueId = await makeQueue(team);
      const key = randomUUID();
      const imported: Imported[] = [];
      const growth = await growthDuring(stack, async () => {
        imported.push(await insist(queueId, key, rowCount));
        await changeAll(queueId);
      });
      expect(imported).toEqual([allOfThem]);
      expect(Object.entries(growth).filter(([, bytes]) => bytes >= allowedGrowth)).toEqual([]);
      await deleteAll(queueId);
    },
    maxTotalMs,
  );

  it(
    `the process that takes them dies ${kills} times, and each of them comes in once`,
    async () => {
      const queueId = await makeQueue(team);
      const whole = insist(queueId, randomUUID(), rowCount, { patienceMs: 60_000 });
      for (let n = 1; n <= kills; n += 1) await killAt(queueId, (n * rowCount) / (kills + 1));
      expect(await whole).toEqual(allOfThem);
      expect(await countOf(queueId)).toBe(accepted);
    },
    maxTotalMs,
  );

  /** The process that takes the rows dies about there, and another comes. */
  async function killAt(queueId: string, rows: number): Promise<void> {
    await eventually(
      async () => expect(await taken(queueId)).toBeGreaterThan(rows + random.whole(0, batch)),
      {
        timeoutMs: maxTotalMs,
      },
    );
    worker().signal('SIGKILL');
    await worker().exited;
    await stack.start('runs');
  }

  async function taken(queueId: string): Promise<number> {
    const [row] = await stack.database.query<{ count: number }>(
      'SELECT count(*)::int FROM runs.queue_case WHERE queue_id = $1',
      [queueId],
    );
    return row!.count;
  }

  async function changeAll(queueId: string): Promise<void> {
    const params = { queue_id: queueId };
    const body = {
      all_matching: true,
      priority: 'medium',
      filters: { labels: { region: ['north', 'south'] } },
    };
    const headers = { 'idempotency-key': randomUUID() };
    const changed = await team.client.succeed(bulkUpdateCasePriority, { params, body, headers });
    expect(changed).toMatchObject({ updated_count: accepted, skipped_count: 0 });
    const again = await team.client.call(bulkUpdateCasePriority, { params, body, headers });
    expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', changed]);
    // Each step was committed by itself: rows of one have one moment.
    const [most] = await stack.database.query<{ made: number; changed: number }>(
      `SELECT max(made)::int AS made, max(changed)::int AS changed FROM (
         SELECT count(*) FILTER (WHERE type = 'created') AS made, count(*) FILTER (WHERE type = 'updated') AS changed
           FROM runs.case_event JOIN runs.queue_case ON queue_case.id = case_id
          WHERE queue_id = $1 GROUP BY case_event.created_at) AS steps`,
      [queueId],
    );
    expect(most).toEqual({ made: batch, changed: batch });
  }

  async function deleteAll(queueId: string): Promise<void> {
    const params = { queue_id: queueId };
    const body = { all_matching: true };
    const deleted = await team.client.succeed(bulkDeleteCases, { params, body });
    expect(deleted).toMatchObject({ deleted_count: accepted, skipped_count: 0 });
    expect(await countOf(queueId)).toBe(0);
  }
});
