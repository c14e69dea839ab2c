import { getAgentRun, listHumanRequests, listRunMessages, listRuns, streamRunEvents } from '@aos/contracts';
import { startRuns, type RunsUnderTest } from '../runs-under-test.js';

const most = 6 * 1024 * 1024;
/** As JSON a control character takes six bytes. */
const large = `repeat('x', 900000) || repeat(chr(7), 10000)`;
const rows = 12;

describe('a page of large rows', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(async () => {
    await runs?.stop();
  });

  const sizeOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body));

  it('of messages holds fewer of them, and the next begins after those that were received', async () => {
    const { id } = await runs.start(await runs.agent(['finish Done']));
    await runs.reach(id, 'completed');
    await runs.database.query(
      `INSERT INTO runs.run_message (run_id, seq, id, type, role, text_content, created_at)
       SELECT id, message_seq + n, gen_random_uuid(), 'text', 'assistant', ${large}, now()
         FROM runs.run, generate_series(1, ${rows}) AS n WHERE id = $1`,
      [id],
    );
    await runs.database.query(`UPDATE runs.run SET message_seq = message_seq + ${rows} WHERE id = $1`, [id]);
    const seen: number[] = [];
    for (let total = 1; seen.length < total;) {
      const query = { limit: '50', offset: String(seen.length) };
      const { body } = await runs.call(listRunMessages, { params: { run_id: id }, query });
      expect(sizeOf(body)).toBeLessThan(most);
      expect(body).toMatchObject({ limit: 50, offset: seen.length });
      expect(body.messages.length).toBeGreaterThan(0);
      seen.push(...body.messages.map(({ seq }) => seq));
      total = body.total;
    }
    expect(seen.length).toBeGreaterThan(rows);
    expect(seen).toEqual(seen.map((_, index) => index + 1));
  });

  it('of events of a run is not said to be complete', async () => {
    const { id } = await runs.start(await runs.agent(['finish Done']));
    await runs.reach(id, 'completed');
    await runs.database.query(
      `INSERT INTO runs.logged_event (batch_id, place, run_id, run_seq, id, event, data, meta, created_at)
       SELECT 0, n, id, event_seq + n, gen_random_uuid(), 'run.message.created', jsonb_build_object('text', ${large}),
              '{}', now()
         FROM runs.run, generate_series(1, ${rows}) AS n WHERE id = $1`,
      [id],
    );
    await runs.database.query(`UPDATE runs.run SET event_seq = event_seq + ${rows} WHERE id = $1`, [id]);
    const seen: number[] = [];
    for (let ended = false; !ended;) {
      const query = { after: String(seen.length) };
      const { body } = await runs.call(streamRunEvents, { params: { run_id: id }, query });
      expect(sizeOf(body)).toBeLessThan(most);
      expect(body.events.length).toBeGreaterThan(0);
      seen.push(...body.events.map(({ seq }) => seq));
      ended = body.ended;
      expect(body.complete).toBe(ended);
    }
    expect(seen.length).toBeGreaterThan(rows);
    expect(seen).toEqual(seen.map((_, index) => index + 1));
  });

  it('of runs holds fewer of them, with the same total and order', async () => {
    const agent = await runs.agent(['finish Done']);
    const started = await Promise.all(Array.from({ length: rows }, () => runs.start(agent)));
    for (const { id } of started) await runs.reach(id, 'completed');
    const all = { agent_id: agent, limit: '50' };
    const { body: before } = await runs.call(listRuns, { query: all });
    await runs.database.query(`UPDATE runs.run SET result = ${large} WHERE agent_id = $1`, [agent]);
    const seen: string[] = [];
    while (seen.length < rows) {
      const { body } = await runs.call(listRuns, { query: { ...all, offset: String(seen.length) } });
      expect(sizeOf(body)).toBeLessThan(most);
      expect(body.data.length).toBeGreaterThan(0);
      expect(body.total).toBe(rows);
      seen.push(...body.data.map(({ id }) => id));
    }
    expect(seen).toEqual(before.data.map(({ id }) => id));
  });

  it('of human requests holds fewer of them; a run is shown with its last ones', async () => {
    const agentId = await runs.agent(['finish Done']);
    const { id } = await runs.start(agentId);
    await runs.reach(id, 'completed');
    await runs.database.query(
      `INSERT INTO runs.human_request (id, run_id, team_id, tool_call_id, type, title, questions, status, response,
                                       votes, required_approvals, on_timeout, created_at, responded_at)
       SELECT gen_random_uuid(), id, team_id, 'call', 'question', 'Which?', '[]', 'answered',
              jsonb_build_object('answers', jsonb_build_object('q', ${large})), '[]', 1, 'fail', now(), now()
         FROM runs.run, generate_series(1, ${rows}) WHERE id = $1`,
      [id],
    );
    const seen: string[] = [];
    while (seen.length < rows) {
      const query = { limit: '50', offset: String(seen.length) };
      const { body } = await runs.call(listHumanRequests, { params: { teamId: runs.teamId }, query });
      expect(sizeOf(body)).toBeLessThan(most);
      expect(body.human_requests.length).toBeGreaterThan(0);
      expect(body.total).toBe(rows);
      seen.push(...body.human_requests.map((request) => request.id));
    }
    expect(seen).toEqual([...seen].sort());
    const { body } = await runs.call(getAgentRun, { params: { agentId, runId: id } });
    expect(sizeOf(body)).toBeLessThan(most);
    const shown = body.human_requests.map((request) => request.id);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown).toEqual(seen.slice(-shown.length));
  });
});
