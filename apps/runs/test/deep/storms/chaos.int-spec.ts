import { hasEnded, runUsed, startRun, type Run } from '@aos/contracts';
import { eventually, loggedEvents, ofStorm, seededRandom, type TestDatabase } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import type { RunsClient } from '../../runs-under-test.js';
import { maxStormMs as maxTotalMs, StormyRuns } from '../../stormy-runs.js';

/** At least; more are started until the storm is over. */
const minRuns = ofStorm({ short: 40, long: 300 });
const inFlight = 20;
const killEveryMs = 1_000;
const beatsOfStorm = ofStorm({ short: 5, long: 20 });
const mishapEveryBeats = ofStorm({ short: 2, long: 4 });
const random = seededRandom();

/** Ten steps, some of which let go of the run, so that it changes hands. */
const steps = [
  'say one',
  'say two',
  'wait 300',
  'say four',
  'tool no_such_tool {"n": 5}',
  'wait 300',
  'say seven',
  'say eight',
  'finish nine',
];
const stepKinds = ['model', 'model', 'wait', 'model', 'model', 'tool', 'wait', 'model', 'model', 'model'];
/** The tool that is not there is the one that fails. */
const stepStatuses = stepKinds.map((kind) => (kind === 'tool' ? 'failed' : 'completed'));
const messages = [
  ['user', 'text', 'go'],
  ['assistant', 'text', 'one'],
  ['assistant', 'text', 'two'],
  ['assistant', 'text', 'four'],
  ['assistant', 'tool_call', null],
  ['tool', 'tool_result', null],
  ['assistant', 'text', 'seven'],
  ['assistant', 'text', 'eight'],
  ['assistant', 'text', 'nine'],
];

describe('runs in a storm', () => {
  let storm: StormyRuns;
  let database: TestDatabase;
  let runs: RunsClient;

  beforeAll(async () => {
    storm = await StormyRuns.start();
    ({ database, runs } = storm);
    await logLeases();
  });

  afterAll(() => storm?.stop());

  /** Notes every time that a run is taken from somebody whose lease has not run out. */
  async function logLeases(): Promise<void> {
    await database.query(`CREATE TABLE runs.taken_too_early (run_id uuid, at timestamptz)`);
    await database.query(`
      CREATE FUNCTION runs.note_lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF OLD.lease_token IS NOT NULL AND NEW.lease_token IS NOT NULL AND OLD.lease_token <> NEW.lease_token
           AND OLD.lease_until > now() THEN
          INSERT INTO runs.taken_too_early VALUES (NEW.id, now());
        END IF;
        RETURN NEW;
      END $$`);
    await database.query(
      `CREATE TRIGGER note_lease BEFORE UPDATE ON runs.run FOR EACH ROW EXECUTE FUNCTION runs.note_lease()`,
    );
  }

  /** Tries until it is accepted; the key sees to it that it is started once. */
  async function startSurely(agentId: string): Promise<string> {
    const request = {
      params: { teamId: runs.teamId },
      body: { agent_id: agentId, message: 'go' },
      key: uuidv7(),
    };
    return eventually(
      async () => {
        const { status, body } = await runs.call(startRun, request);
        if (status !== 201) throw new Error(`startRun answered ${status}`);
        return (body.run as Run).id;
      },
      { timeoutMs: maxTotalMs },
    );
  }

  /** Postgres may be away just now: then it is asked again. */
  async function ended(runId: string): Promise<void> {
    const end = await eventually(
      async () => {
        const [row] = await database.query<Pick<Run, 'status' | 'error'>>(
          'SELECT status, error FROM runs.run WHERE id = $1',
          [runId],
        );
        if (!hasEnded(row!.status)) throw new Error(`The run is ${row!.status}`);
        return row!;
      },
      { timeoutMs: maxTotalMs, everyMs: 250 },
    );
    const log = end.status === 'completed' ? [] : storm.logOf(runId);
    expect({ ...end, log }).toEqual({ status: 'completed', error: null, log: [] });
  }

  it('ends all runs as they should, each step and each event once', async () => {
    const agentId = await runs.agent(steps);
    const over = new AbortController();
    const kills: Promise<unknown>[] = [];
    let beats = 0;
    const flush = () => storm.emptyRedis();
    const restart = () => storm.restartPostgres();
    const mishaps = ofStorm({ short: [flush, restart], long: [flush, restart, flush] });
    const thunder = setInterval(() => {
      beats += 1;
      kills.push(storm.killOne(random));
      if (beats % mishapEveryBeats === 0) {
        const mishap = mishaps.shift();
        if (mishap) kills.push(mishap());
      }
      if (mishaps.length === 0 && beats >= beatsOfStorm) over.abort();
    }, killEveryMs);
    over.signal.addEventListener('abort', () => clearInterval(thunder));

    const ids: string[] = [];
    const client = async () => {
      while (ids.length < minRuns || !over.signal.aborted) {
        const place = ids.push('') - 1;
        ids[place] = await startSurely(agentId);
        await ended(ids[place]);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, client));
    await Promise.all(kills);

    await eventually(
      async () => {
        const rows = await database.query<{ status: string; count: string }>(
          'SELECT status, count(*) FROM runs.run GROUP BY status',
        );
        expect(rows).toEqual([{ status: 'completed', count: String(ids.length) }]);
      },
      { timeoutMs: maxTotalMs, everyMs: 500 },
    );
    expect(new Set(ids).size).toBe(ids.length);
    await everyRunIsWhole();
    await everyEventIsThereOnce(ids.length);
    expect(await database.query('SELECT * FROM runs.taken_too_early')).toEqual([]);
  }, 400_000);

  async function everyRunIsWhole(): Promise<void> {
    const rows = await database.query<{
      kinds: string[];
      statuses: string[];
      said: unknown[];
      result: string;
    }>(
      `SELECT run.result,
              (SELECT array_agg(kind ORDER BY step_index) FROM runs.run_step WHERE run_id = run.id) AS kinds,
              (SELECT array_agg(status ORDER BY step_index) FROM runs.run_step WHERE run_id = run.id) AS statuses,
              (SELECT jsonb_agg(jsonb_build_array(role, type, text_content) ORDER BY seq)
                 FROM runs.run_message WHERE run_id = run.id) AS said
         FROM runs.run`,
    );
    for (const row of rows) {
      expect(row).toEqual({ result: 'nine', kinds: stepKinds, statuses: stepStatuses, said: messages });
    }
  }

  /** In the run's own stream without a gap, and in the log for others, numbered, as often. */
  async function everyEventIsThereOnce(runCount: number): Promise<void> {
    const expected = [
      'run.completed',
      ...messages.map(() => 'run.message.created'),
      'run.started',
      'run.tool_call.completed',
    ];
    const perRun = await database.query<{ names: string[]; gapless: boolean }>(
      `SELECT array_agg(event ORDER BY event) AS names,
              array_agg(run_seq ORDER BY run_seq) = array_agg(n ORDER BY n) AS gapless
         FROM (SELECT *, row_number() OVER (PARTITION BY run_id ORDER BY run_seq)::int AS n
                 FROM runs.logged_event WHERE run_id IS NOT NULL) AS e
        GROUP BY run_id`,
    );
    for (const row of perRun) expect(row).toEqual({ names: expected.sort(), gapless: true });
    await eventually(async () => {
      const [log] = await database.query<{
        events: string;
        ids: string;
        unnumbered: string;
      }>(
        `SELECT count(*) AS events, count(DISTINCT id) AS ids,
                count(*) FILTER (WHERE position IS NULL) AS unnumbered
           FROM ${loggedEvents('runs')} AS log WHERE event <> $1`,
        // What a sleep has used has an event of its own, unless it rounds to nothing.
        [runUsed.name],
      );
      const total = String(runCount * expected.length);
      expect(log).toEqual({ events: total, ids: total, unnumbered: '0' });
    });
  }
});
