import { eventually, type ModelReply, type ModelServer, startModelServer } from '@aos/testing';
import { outcomeOf } from '../src/evaluations/evaluation-results.js';
import { EvaluationsJobs } from '../src/evaluations/evaluations.jobs.js';
import { JudgingRepository } from '../src/evaluations/judging.repository.js';
import { EvaluationsClient, failedOf, verdictsOf } from './evaluations-under-test.js';
import { type RunsUnderTest, startRuns } from './runs-under-test.js';

const model = 'compatible/stand-in';
const answer: ModelReply = { kind: 'turn', text: 'Paris.' };
const noVerdict: ModelReply = { kind: 'turn', text: 'I like the run very much.' };

const verdicts = (...given: (boolean | null)[]): ModelReply => ({
  kind: 'turn',
  toolCalls: [
    {
      name: 'give_verdicts',
      arguments: {
        verdicts: given.map((passed, index) => ({ rubric: index + 1, passed, comment: `It is ${passed}.` })),
      },
    },
  ],
});

describe('the evaluation of runs by a model', () => {
  let runs: RunsUnderTest;
  let evaluations: EvaluationsClient;
  let models: ModelServer;

  beforeAll(async () => {
    models = await startModelServer();
    runs = await startRuns({ environment: { COMPATIBLE_BASE_URL: models.openAiUrl } });
    evaluations = new EvaluationsClient(runs, runs.database);
  });

  afterAll(async () => {
    await runs?.stop();
    await models?.close();
  });

  /** A run of a model that is asked to judge it as these replies say. */
  async function start(rubrics: string[], ...replies: ModelReply[]) {
    const agentId = await runs.agent('Answer shortly.', { model });
    for (const title of rubrics) await evaluations.rubric(agentId, { title });
    models.script(answer, ...replies);
    const { id } = await runs.start(agentId, { message: 'The capital of France?' });
    return { agentId, id };
  }

  /** Once a judge has failed so often, the next attempt comes at once instead of in some seconds. */
  async function hurryAfter(id: string, attempts: number): Promise<void> {
    await eventually(async () => {
      // Neither in the queue nor under a lease, which lasts 12 to 16 s.
      const rows = await runs.database.query(
        `UPDATE runs.run_evaluation SET due_at = now()
          WHERE run_id = $1 AND attempts = $2 AND token IS NOT NULL
            AND due_at - now() NOT BETWEEN interval '10 s' AND interval '20 s' RETURNING 1`,
        [id, attempts],
      );
      expect(rows).toHaveLength(1);
    });
  }

  it('asks once about all rubrics, and shows the run as data', async () => {
    const { agentId, id } = await start(['First', 'Second', 'Third'], verdicts(true, false, null));
    const evaluation = await evaluations.judged(agentId, id);
    expect(verdictsOf(evaluation)).toMatchObject({ First: true, Second: false, Third: null });
    expect(evaluation).toMatchObject({ passed: 5, total: 6 });
    expect(evaluation.results[5]).toMatchObject({ title: 'Second', comment: 'It is false.' });
    const { messages, tools } = models.requests.at(-1) as {
      messages: { role: string; content: string }[];
      tools: { function: { name: string } }[];
    };
    expect(tools.map((tool) => tool.function.name)).toEqual(['give_verdicts']);
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(messages[1]!.content).toContain('{"role":"user","text":"The capital of France?"}');
    expect(messages[1]!.content).toContain('"title":"Third"');
  });

  it.each<[string, ModelReply]>([
    ['a stream that is none', { kind: 'garbage' }],
    ['500', { kind: 'status', status: 500 }],
  ])('asks again after %s', async (_, reply) => {
    const before = models.requests.length;
    const { agentId, id } = await start(['First'], reply, verdicts(true));
    expect(verdictsOf(await evaluations.judged(agentId, id))).toMatchObject({ First: true });
    expect(models.requests.length - before).toBe(3);
  });

  it('asks again after answers that are no verdicts', async () => {
    const { agentId, id } = await start(['First', 'Second'], noVerdict, verdicts(true), verdicts(true, true));
    await hurryAfter(id, 1);
    await hurryAfter(id, 2);
    const evaluation = await evaluations.judged(agentId, id);
    expect(verdictsOf(evaluation)).toMatchObject({ First: true, Second: true });
    expect(await evaluations.row(id)).toMatchObject({ attempts: 3 });
    const answered = { agent_id: agentId, model, input_tokens: 7, output_tokens: 5 };
    expect(await evaluations.usageTold(id)).toEqual([answered, answered, answered]);
  });

  it('gives up in the end, and keeps what the facts tell', async () => {
    const { agentId, id } = await start(['First'], { kind: 'status', status: 401 });
    for (const attempts of [1, 2, 3, 4]) await hurryAfter(id, attempts);
    const evaluation = await evaluations.judged(agentId, id, 'unavailable');
    expect(verdictsOf(evaluation)).toEqual({
      no_tool_errors: true,
      no_retries_exhausted: true,
      ended_with_answer: true,
      no_repeated_tool_calls: true,
      First: null,
    });
    expect(evaluation).toMatchObject({ passed: 4, total: 4 });
    expect((await runs.show(id)).run.eval_summary).toBeNull();
  });

  it('finds a model that was given up after its last retry', async () => {
    const agentId = await runs.agent('Answer.', { model });
    models.script({ kind: 'status', status: 503 });
    const { id } = await runs.start(agentId, { message: 'hello' });
    await runs.reach(id, 'failed');
    const evaluation = await evaluations.judged(agentId, id);
    expect(failedOf(evaluation)).toEqual(['no_retries_exhausted', 'ended_with_answer']);
  });

  it('does not take a model that refuses at once for one that was given up', async () => {
    const agentId = await runs.agent('Answer.', { model });
    models.script({ kind: 'status', status: 401 });
    const { id } = await runs.start(agentId, { message: 'hello' });
    expect(failedOf(await evaluations.judged(agentId, id))).toEqual(['ended_with_answer']);
  });

  it('asks once however often its job runs', async () => {
    const { agentId, id } = await start(['First'], verdicts(true));
    const first = await evaluations.judged(agentId, id);
    const before = models.requests.length;
    models.script(verdicts(false));
    // Not due, so that only these jobs lead to it.
    await runs.database.query(
      `UPDATE runs.run_evaluation SET status = 'in_progress', attempts = 0, due_at = now() + interval '1 h'
        WHERE run_id = $1`,
      [id],
    );
    const jobs = runs.running.app.get(EvaluationsJobs, { strict: false });
    const { signal } = new AbortController();
    const run = () => jobs.run({ run_id: id }, { attempt: 1, lastAttempt: true, signal });
    await Promise.all(Array.from({ length: 8 }, run));
    const second = await evaluations.judged(agentId, id);
    expect(verdictsOf(second)).toMatchObject({ First: false });
    expect(second.id).toBe(first.id);
    expect(models.requests.length - before).toBe(1);
    expect(await evaluations.row(id)).toMatchObject({ status: 'ready', attempts: 1 });
  });

  it('stores nothing that was found of a run before it ended anew', async () => {
    const { agentId, id } = await start(['First'], verdicts(true));
    await evaluations.judged(agentId, id);
    const judging = runs.running.app.get(JudgingRepository, { strict: false });
    const set = (fields: string) =>
      runs.database.query(`UPDATE runs.run_evaluation SET ${fields} WHERE run_id = $1`, [id]);
    await set(`status = 'in_progress', attempts = 0, token = NULL, due_at = now() + interval '1 h'`);
    const held = await judging.claim(id, 3_600_000);
    expect(await judging.claim(id, 3_600_000)).toBeUndefined();
    const judged = { evaluation: held!, outcome: outcomeOf('ready', []) };
    await set('attempts = 0');
    expect(await judging.store([judged])).toEqual([]);
    expect(await judging.extend(held!, 1_000)).toBe(false);
    // By a worker that has taken it since.
    await set('attempts = 1, token = gen_random_uuid()');
    expect(await judging.store([judged])).toEqual([]);
    await set('due_at = now()');
    expect((await evaluations.judged(agentId, id)).total).toBe(5);
  });
});
