import { runCompleted, runStarted } from '@aos/contracts';
import { newId } from '@aos/persistence';
import { eventually, startReceiver, type WebhookReceiver } from '@aos/testing';
import { fanOutLimits } from '../src/feed/fan-out.js';
import { wrongCounts } from './delivery-counts.js';
import { exampleOf, startWebhooks, type DispatcherUnderTest } from './dispatcher-under-test.js';

const many = fanOutLimits.directWebhooks + 10;
/** Of one statement. */
const maxRows = 1_000;

describe('a team with many webhooks', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;
  let teamId: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    // One at a time: what is received shows the order in which it was due.
    webhooks = await startWebhooks({ WEBHOOK_CONCURRENCY: '1' });
  });

  beforeEach(() => {
    teamId = webhooks.anotherTeam().teamId;
  });

  afterAll(async () => {
    await webhooks?.stop();
    await receiver?.close();
  });

  const query = <Row extends object>(sql: string, values: unknown[] = []) =>
    webhooks.database.query<Row>(sql, values);

  /** Those of a test go to addresses of their own. */
  async function subscribe(count: number, { team = teamId, enabled = true, event = runCompleted.name } = {}) {
    const ids = Array.from({ length: count }, () => newId());
    await query(
      `INSERT INTO webhook_dispatcher.webhook_subscription
         (id, team_id, url, events, enabled, consecutive_failures, created_at, updated_at)
       SELECT id, $2, $3 || id, ARRAY[$4], $5, 0, now(), now() FROM unnest($1::uuid[]) AS made(id)`,
      [ids, team, receiver.url('/'), event, enabled],
    );
    return ids;
  }

  const record = (count: number, team = teamId, event = runCompleted) =>
    webhooks.runs.record(Array.from({ length: count }, () => exampleOf(event, team)));

  const got = (id: string) => receiver.received.filter(({ path }) => path === `/${id}`).map((one) => one.id);

  const countOf = async (team = teamId) => {
    const [row] = await query<{ count: string }>(
      'SELECT count(*) FROM webhook_dispatcher.delivery WHERE team_id = $1',
      [team],
    );
    return Number(row!.count);
  };

  const behind = () => query<{ team_id: string }>('SELECT team_id FROM webhook_dispatcher.feed_fanout');

  /** Rows that one transaction made share its id as long as nothing changes them. */
  const rowsOfTransactions = async (team = teamId) => {
    const rows = await query<{ count: string }>(
      'SELECT count(*) FROM webhook_dispatcher.delivery WHERE team_id = $1 GROUP BY xmin::text',
      [team],
    );
    return rows.map(({ count }) => Number(count));
  };

  it('makes no statement larger than others do', async () => {
    await subscribe(100, { enabled: false });
    const { id } = await webhooks.subscribe(receiver.url('/of-another-team'), runCompleted.name);
    await webhooks.runs.record([
      ...Array.from({ length: 100 }, () => exampleOf(runCompleted, teamId)),
      exampleOf(runCompleted, webhooks.teamId),
    ]);
    await eventually(async () => expect(await countOf()).toBe(10_000), { timeoutMs: 30_000 });
    expect(Math.max(...(await rowsOfTransactions()))).toBeLessThanOrEqual(maxRows);
    await eventually(() =>
      expect(receiver.received.some(({ path }) => path === '/of-another-team')).toBe(true),
    );
    await eventually(async () => expect(await behind()).toEqual([]));
    expect(await wrongCounts(webhooks.database)).toEqual([]);
    await query('DELETE FROM webhook_dispatcher.webhook_subscription WHERE id = $1', [id]);
  });

  it('is bounded also where many teams with a few each come in one batch', async () => {
    const teams = Array.from({ length: 40 }, () => newId());
    for (const team of teams) await subscribe(40, { team, enabled: false });
    await webhooks.runs.record(teams.map((team) => exampleOf(runCompleted, team)));
    await eventually(async () => {
      for (const team of teams) expect(await countOf(team)).toBe(40);
    });
    const rows = await query<{ count: string }>(
      'SELECT count(*) FROM webhook_dispatcher.delivery WHERE team_id = ANY ($1) GROUP BY xmin::text',
      [teams],
    );
    expect(Math.max(...rows.map(({ count }) => Number(count)))).toBeLessThanOrEqual(maxRows);
    await eventually(async () => expect(await behind()).toEqual([]));
  });

  it('gets everything once and in order, before, while and after it is behind', async () => {
    const few = await subscribe(2);
    const ids = await record(5);
    await eventually(() => expect(got(few[0]!)).toHaveLength(5));
    const more = await subscribe(many);
    for (let round = 0; round < 4; round += 1) ids.push(...(await record(5)));
    await eventually(async () => expect(await behind()).toEqual([]));
    await query('DELETE FROM webhook_dispatcher.webhook_subscription WHERE id = ANY ($1)', [more.slice(2)]);
    ids.push(...(await record(5)));
    await eventually(
      () => {
        for (const id of few) expect(got(id)).toHaveLength(ids.length);
        for (const id of more.slice(0, 2)) expect(got(id)).toHaveLength(ids.length - 5);
      },
      { timeoutMs: 30_000 },
    );
    for (const id of few) expect(got(id)).toEqual(ids);
    for (const id of more.slice(0, 2)) expect(got(id)).toEqual(ids.slice(5));
  });

  it('passes quickly over what none of its webhooks wants', async () => {
    await subscribe(many, { event: runStarted.name, enabled: false });
    await record(200);
    await record(1, teamId, runStarted);
    await eventually(async () => expect(await countOf()).toBe(many));
    await eventually(async () => expect(await behind()).toEqual([]));
    expect(await countOf()).toBe(many);
  });

  it('waits for itself: another of its size is served while it is not', async () => {
    const calm = newId();
    await subscribe(many, { enabled: false });
    const [wanted] = await subscribe(many, { team: calm });
    const failing = `
      CREATE FUNCTION webhook_dispatcher.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.team_id = '${teamId}' THEN RAISE 'planted'; END IF; RETURN NEW; END $$`;
    await query(failing);
    await query(`CREATE TRIGGER refuse BEFORE INSERT ON webhook_dispatcher.delivery
                    FOR EACH ROW EXECUTE FUNCTION webhook_dispatcher.refuse()`);
    try {
      await record(3);
      const ids = await record(3, calm);
      await eventually(() => expect(got(wanted!)).toEqual(ids));
      await eventually(async () => expect(await behind()).toEqual([{ team_id: teamId }]));
      expect(await countOf()).toBe(0);
    } finally {
      await query('DROP FUNCTION webhook_dispatcher.refuse CASCADE');
    }
    // Nothing is lost when it can be served again.
    await eventually(async () => expect(await countOf()).toBe(3 * many));
    expect(await wrongCounts(webhooks.database)).toEqual([]);
  });
});
