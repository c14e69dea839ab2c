import { postRunMessage, respondToHumanRequest, runMessageLimits, startRun } from '@aos/contracts';
import { uuidv7 } from 'uuidv7';
import { startRuns, type RunsUnderTest } from '../runs-under-test.js';

const message = 'x'.repeat(200_000);

describe('a run that wants too much', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(async () => {
    await runs?.stop();
  });

  const post = (runId: string, text: string) =>
    runs.call(postRunMessage, { params: { run_id: runId }, body: { message: text } });

  it('fails instead of its worker, and other runs go on', async () => {
    const greedy = await runs.agent([`say ${'{{message}}'.repeat(2_500)}`]);
    const others = await runs.agent(['say One', 'finish Two']);
    const [{ id }, ...rest] = await Promise.all([
      runs.start(greedy, { message }),
      ...Array.from({ length: 5 }, () => runs.start(others)),
    ]);
    expect((await runs.reach(id, 'failed')).run.error).toMatchObject({ code: 'output_too_large' });
    for (const { id: other } of rest) expect((await runs.reach(other, 'completed')).run.result).toBe('Two');
  });

  it('is told when the arguments of a call are too long, and can go on', async () => {
    const agent = await runs.agent([
      `tool write_file {"path": "a.txt", "content": "${'{{message}}'.repeat(10)}"}`,
      'finish Done',
    ]);
    const { id } = await runs.start(agent, { message });
    await runs.reach(id, 'completed');
    const results = (await runs.messages(id)).flatMap(({ tool_result: result }) => result ?? []);
    expect(results).toEqual([{ tool_call_id: 'step-1', error: expect.stringContaining('too long') }]);
    expect(await runs.events(id)).toContain('run.tool_call.completed');
  });

  it.each([
    ['as many messages as it may', `message_seq = ${runMessageLimits.count}`],
    ['messages as large as they may be', `message_bytes = ${runMessageLimits.bytes - 3}`],
  ])('takes no message when it has %s', async (_has, columns) => {
    const { id } = await runs.start(await runs.agent(['finish Done']));
    await runs.reach(id, 'completed');
    await runs.database.query(`UPDATE runs.run SET ${columns} WHERE id = $1`, [id]);
    expect(await post(id, 'More')).toMatchObject({ status: 409, body: { error: 'limit_reached' } });
    expect((await runs.show(id)).run.status).toBe('completed');
  });

  it('fails when its own messages become too many', async () => {
    const { id } = await runs.start(await runs.agent(['approve Go?', 'say A', 'say B', 'finish C']));
    const { pending_human_request: request } = await runs.reach(id, 'waiting');
    const full = runMessageLimits.bytes - 30;
    await runs.database.query('UPDATE runs.run SET message_bytes = $2 WHERE id = $1', [id, full]);
    await runs.call(respondToHumanRequest, {
      params: { run_id: id, request_id: request!.id },
      body: { approved: true },
    });
    expect((await runs.reach(id, 'failed')).run.error).toMatchObject({ code: 'limit_reached' });
  });

  it('counts the bytes of its messages as they are stored', async () => {
    const { id } = await runs.start(await runs.agent(['tool no_such {"a": 1}', 'say Ä', 'finish Ö']), {
      message: 'Hi',
    });
    await runs.reach(id, 'completed');
    const [row] = await runs.database.query<{ counted: number; stored: number }>(
      `SELECT message_bytes::int AS counted,
              (SELECT sum(coalesce(octet_length(text_content), 0)) FROM runs.run_message WHERE run_id = run.id)::int AS stored
         FROM runs.run WHERE id = $1`,
      [id],
    );
    expect(row!.stored).toBe(2 + 2 + 2);
    expect(row!.counted).toBeGreaterThan(row!.stored);
  });

  it('goes on after a history of many megabytes with what it was told at its beginning', async () => {
    const agent = await runs.agent(['ask Who?', 'approve Go on?', 'finish {{answer}} said {{message}}']);
    const { id } = await runs.start(agent, { message: 'Hello' });
    const first = await runs.reach(id, 'waiting');
    await answer(first.pending_human_request!.id, { answers: { 'Who?': 'Ada' } });
    const approval = await runs.reach(id, 'waiting');
    await talk(id, 100);
    await answer(approval.pending_human_request!.id, { approved: true });
    const { run } = await runs.reach(id, 'completed');
    expect(run.result).toMatch(/said Hello$/);

    async function answer(requestId: string, body: object): Promise<void> {
      const params = { run_id: id, request_id: requestId };
      const { status } = await runs.call(respondToHumanRequest, { params, body });
      expect(status).toBe(200);
    }
  });

  /** As much as a model with a lot to think would have left. */
  async function talk(runId: string, count: number): Promise<void> {
    const ids = Array.from({ length: count }, () => uuidv7());
    await runs.database.query(
      `INSERT INTO runs.run_message (run_id, seq, id, type, role, text_content, created_at)
       SELECT $1, (SELECT message_seq FROM runs.run WHERE id = $1) + place, id, 'thinking', 'assistant', $3, now()
         FROM unnest($2::uuid[]) WITH ORDINALITY AS one(id, place)`,
      [runId, ids, message],
    );
    await runs.database.query(
      'UPDATE runs.run SET message_seq = message_seq + $2, message_bytes = message_bytes + $3 WHERE id = $1',
      [runId, count, count * message.length],
    );
  }

  it('answers a start that asks for too much with 400', async () => {
    const { status } = await runs.call(startRun, {
      params: { teamId: runs.teamId },
      body: { agent_id: uuidv7(), message: `${message}!` },
    });
    expect(status).toBe(400);
  });
});
