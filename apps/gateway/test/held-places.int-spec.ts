import { eventually, EventSource } from '@aos/testing';
import { RunsBehindGateway } from './runs-behind-gateway.js';

const ofCredential = 3;
const ofTeam = 5;

describe('event streams and waits of a team that floods', () => {
  let product: RunsBehindGateway;
  let opened: EventSource[];

  beforeAll(async () => {
    product = await RunsBehindGateway.start({
      HELD_REQUESTS_PER_CREDENTIAL: String(ofCredential),
      HELD_REQUESTS_PER_TEAM: String(ofTeam),
    });
  });

  afterAll(async () => {
    await product?.stop();
  });

  beforeEach(() => {
    opened = [];
  });

  afterEach(async () => {
    for (const source of opened) source.leave();
    await eventually(async () => expect(await product.open('streams')).toBe(0));
    await eventually(async () => expect(await product.open('waits')).toBe(0));
  });

  async function open(key: string, teamId = product.teamId): Promise<number> {
    const runId = product.runs.add(teamId, product.agentId).id;
    const source = await EventSource.open(`${product.gateway.url}/v2/runs/${runId}/events`, {
      authorization: `Bearer ${key}`,
    });
    opened.push(source);
    return source.answer.statusCode!;
  }

  /** Starts a run and waits for its end; gives the answer. */
  function wait(key: string, teamId = product.teamId): Promise<Response> {
    const authorization = `Bearer ${key}`;
    const body = { agent_id: product.agentId, wait_seconds: 60 };
    return product.post(`/v2/teams/${teamId}/runs`, body, { headers: { authorization } });
  }

  it('are refused past its share, whatever kind they are, while a calm team is served', async () => {
    const calm = await product.newTeam();
    expect([await open(product.key), await open(product.key)]).toEqual([200, 200]);
    const waiting = wait(product.key);
    await eventually(async () => expect(await product.open('waits')).toBe(1));
    const waitingRun = product.runs.newest!;

    expect(await open(product.key)).toBe(429);
    expect(opened.at(-1)!.answer.headers).toMatchObject({ 'retry-after': '5' });
    const newest = product.runs.newest;
    const refused = await wait(product.key);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await refused.json()).toMatchObject({ error: 'rate_limited' });
    // Who is refused has started nothing.
    expect(product.runs.newest).toBe(newest);

    expect(await open(calm.key, calm.id)).toBe(200);
    const calmWait = wait(calm.key, calm.id);
    await eventually(async () => expect(await product.open('waits')).toBe(2));
    product.runs.change(product.runs.newest!, { status: 'completed' });
    expect((await calmWait).status).toBe(201);

    product.runs.change(waitingRun, { status: 'completed' });
    expect((await waiting).status).toBe(201);
    // The place of what has ended is free.
    expect(await open(product.key)).toBe(200);
  });

  it('are refused to the whole team, however many keys it makes', async () => {
    const other = await product.newKey();
    const third = await product.newKey();
    for (let count = 0; count < ofCredential; count += 1) expect(await open(product.key)).toBe(200);
    for (let count = ofCredential; count < ofTeam; count += 1) expect(await open(other.key)).toBe(200);
    expect(await open(third.key)).toBe(429);
    const calm = await product.newTeam();
    expect(await open(calm.key, calm.id)).toBe(200);

    opened[0]!.leave();
    await eventually(async () => expect(await open(third.key)).toBe(200));
  });

  it('give their place back when they come to nothing', async () => {
    for (let count = 0; count <= ofCredential; count += 1) {
      const answer = await product.request(`/v2/runs/${crypto.randomUUID()}/events`);
      expect(answer.status).toBe(404);
      await answer.body?.cancel();
    }
    expect(await open(product.key)).toBe(200);
  });
});
