import {
  getAgentRun,
  getRunEvaluation,
  listRuns,
  postRunMessage,
  stopRun,
  updateEvalRubric,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { EvaluationsClient, failedOf, verdictsOf } from './evaluations-under-test.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

const allPassed = {
  no_tool_errors: true,
  no_retries_exhausted: true,
  ended_with_answer: true,
  no_repeated_tool_calls: true,
};

describe('the evaluation of runs', () => {
  let runs: RunsUnderTest;
  let evaluations: EvaluationsClient;

  beforeAll(async () => {
    runs = await startRuns();
    evaluations = new EvaluationsClient(runs, runs.database);
  });

  afterAll(() => runs?.stop());

  /** A run of these steps that has ended and was judged. */
  async function judgedRun(steps: string[], message?: string) {
    const agentId = await runs.agent(steps);
    const { id } = await runs.start(agentId, message === undefined ? {} : { message });
    return { agentId, id, evaluation: await evaluations.judged(agentId, id) };
  }

  const listed = async (query: Record<string, string>) => {
    const { body } = await runs.call(listRuns, { query: { ...query, limit: '100' } });
    expect(body.data).toHaveLength(body.total);
    return body.data.map(({ id }) => id);
  };

  it('judges a run by its facts, and shows it with the run', async () => {
    const { agentId, id, evaluation } = await judgedRun(['say Hello', 'finish Done']);
    expect(evaluation).toMatchObject({ run_id: id, status: 'ready', passed: 4, total: 4 });
    expect(verdictsOf(evaluation)).toEqual(allPassed);
    const { run } = await runs.show(id);
    expect(run.eval_summary).toEqual({ passed: 4, total: 4, has_issues: false });
    const { body } = await runs.call(getAgentRun, { params: { agentId, runId: id } });
    expect(body.evaluation).toEqual(evaluation);
    const [row] = await runs.database.query('SELECT has_issues, issue_severity FROM runs.run WHERE id = $1', [
      id,
    ]);
    expect(row).toEqual({ has_issues: null, issue_severity: null });
  });

  it('judges a run that has nothing wrong in the statement that ends it', async () => {
    const agentId = await runs.agent(['tool list_files {}', 'finish Done']);
    const started = await Promise.all(Array.from({ length: 20 }, () => runs.start(agentId)));
    const ids = started.map(({ id }) => id);
    /** Both rows by one snapshot: nothing comes between the end and what is seen of its judging. */
    const ended = () =>
      runs.database.query<{ id: string; judged: string | null }>(
        `SELECT run.id, evaluation.status AS judged
           FROM runs.run LEFT JOIN runs.run_evaluation AS evaluation ON evaluation.run_id = run.id
          WHERE run.id = ANY ($1) AND run.status = 'completed'`,
        [ids],
      );
    const firstSeen = new Map<string, string | null>();
    while (firstSeen.size < ids.length) {
      for (const { id, judged } of await ended()) if (!firstSeen.has(id)) firstSeen.set(id, judged);
    }
    expect([...firstSeen.values()]).toEqual(ids.map(() => 'ready'));
    const evaluation = await evaluations.show(agentId, ids[0]!);
    expect(evaluation).toMatchObject({ status: 'ready', passed: 4, total: 4 });
    expect(verdictsOf(evaluation!)).toEqual(allPassed);
  });

  it.each([
    ['a tool that fails', ['tool fly {"n": 1}', 'finish Done'], ['no_tool_errors'], 'medium'],
    ['a failure', ['say Trying', 'fail No paper left'], ['ended_with_answer'], 'critical'],
    ['an end without a word', ['wait 1'], ['ended_with_answer'], 'critical'],
    [
      'the same call twice in a row',
      ['tool fly {"a": 1, "b": 2}', 'tool fly {"b": 2, "a": 1}', 'finish Done'],
      ['no_tool_errors', 'no_repeated_tool_calls'],
      'medium',
    ],
    [
      'calls that differ, or come back later',
      ['tool fly {"n": 1}', 'tool fly {"n": 2}', 'tool fly {"n": 1}', 'finish Done'],
      ['no_tool_errors'],
      'medium',
    ],
  ])('finds %s', async (_, steps, failed, severity) => {
    const { id, evaluation } = await judgedRun(steps);
    expect(failedOf(evaluation)).toEqual(failed);
    expect(evaluation).toMatchObject({ passed: 4 - failed.length, total: 4 });
    expect((await runs.show(id)).run.eval_summary).toMatchObject({ has_issues: true });
    expect(await listed({ has_issues: 'true' })).toContain(id);
    expect(await listed({ issue_severity: severity })).toContain(id);
    expect(await listed({ has_issues: 'false' })).not.toContain(id);
  });

  it('shows the summary in lists, and counts what it shows', async () => {
    const agentId = await runs.agent(['finish {{message}}']);
    await evaluations.rubric(agentId, { description: 'The agent says "please" to the customer.' });
    const good = await runs.start(agentId, { message: 'please' });
    const bad = await runs.start(agentId, { message: 'at once' });
    await Promise.all([good, bad].map(({ id }) => evaluations.judged(agentId, id)));
    const of = async (query: Record<string, string>) =>
      (await runs.call(listRuns, { query: { agent_id: agentId, ...query } })).body;
    expect(await of({ has_issues: 'false' })).toMatchObject({
      total: 1,
      data: [{ id: good.id, eval_summary: { passed: 5, total: 5, has_issues: false } }],
    });
    expect(await of({ has_issues: 'true', issue_severity: 'medium' })).toMatchObject({
      total: 1,
      data: [{ id: bad.id, eval_summary: { passed: 4, total: 5, has_issues: true } }],
    });
    expect(await of({ has_issues: 'true', count_only: 'true' })).toEqual({ total: 1, data: [] });
  });

  it('asks the judge of the built-in model about the rubrics of the build', async () => {
    const agentId = await runs.agent(['say Thank you, {{message}}.', 'finish Goodbye']);
    const polite = await evaluations.rubric(agentId, {
      title: 'Polite',
      description: 'The agent says "Thank you" and "Goodbye".',
    });
    await evaluations.rubric(agentId, {
      title: 'Sorry',
      description: 'The agent says "I am sorry" to the customer.',
      severity: 'critical',
    });
    await evaluations.rubric(agentId, { title: 'Brief', description: 'The answer is as short as can be.' });
    const { id } = await runs.start(agentId, { message: 'Ada' });
    const evaluation = await evaluations.judged(agentId, id);
    expect(verdictsOf(evaluation)).toEqual({ ...allPassed, Polite: true, Sorry: false, Brief: null });
    expect(evaluation).toMatchObject({ passed: 5, total: 6 });
    expect(evaluation.results[4]).toEqual({
      rubric_id: polite.id,
      title: 'Polite',
      version: 1,
      passed: true,
      severity: 'medium',
      comment: 'The assistant said "Thank you", "Goodbye".',
    });
    expect((await runs.show(id)).run.eval_summary).toEqual({ passed: 5, total: 6, has_issues: true });
    expect(await listed({ issue_severity: 'critical', agent_id: agentId })).toEqual([id]);
  });

  it('keeps the text by which a run was judged', async () => {
    const agentId = await runs.agent(['finish Done']);
    const { id: rubricId } = await evaluations.rubric(agentId, {
      title: 'Says done',
      description: 'The agent says "Done" at the end.',
    });
    const before = await runs.start(agentId);
    await evaluations.judged(agentId, before.id);
    await runs.call(updateEvalRubric, {
      params: { agentId, rubric_id: rubricId },
      body: { title: 'Says finished', description: 'The agent says "Finished" at the end.' },
    });
    const after = await runs.start(agentId);
    expect((await evaluations.judged(agentId, after.id)).results[4]).toMatchObject({
      title: 'Says finished',
      version: 2,
      passed: false,
    });
    expect((await evaluations.judged(agentId, before.id)).results[4]).toMatchObject({
      title: 'Says done',
      version: 1,
      passed: true,
    });
  });

  it('judges a run anew when it ends anew, and shows what it was meanwhile', async () => {
    const agentId = await runs.agent(['fail Nothing there', 'ask Which?', 'finish Done']);
    const { id } = await runs.start(agentId, { message: 'go' });
    const first = await evaluations.judged(agentId, id);
    expect(failedOf(first)).toEqual(['ended_with_answer']);
    await runs.call(postRunMessage, { params: { run_id: id }, body: { message: 'again' } });
    await runs.reach(id, 'waiting');
    expect(await evaluations.show(agentId, id)).toEqual(first);
    expect((await runs.show(id)).run.eval_summary).toEqual({ passed: 3, total: 4, has_issues: true });
    await runs.call(postRunMessage, { params: { run_id: id }, body: { message: 'never mind' } });
    await runs.reach(id, 'completed');
    const second = await evaluations.judged(agentId, id);
    expect(verdictsOf(second)).toEqual(allPassed);
    expect(second.id).toBe(first.id);
    expect((await runs.show(id)).run.eval_summary).toEqual({ passed: 4, total: 4, has_issues: false });
    expect(await listed({ has_issues: 'true', agent_id: agentId })).toEqual([]);
    expect(await listed({ issue_severity: 'critical', agent_id: agentId })).toEqual([]);
  });

  it('waits with a run that goes on before it was judged, and judges it as it is if it is stopped', async () => {
    const agentId = await runs.agent(['finish Done', 'ask Which?']);
    const { id } = await runs.start(agentId);
    await evaluations.judged(agentId, id);
    await runs.call(postRunMessage, { params: { run_id: id }, body: { message: 'again' } });
    await runs.reach(id, 'waiting');
    await evaluations.judgeAnew([id]);
    await eventually(async () => {
      const [row] = await runs.database.query(
        `SELECT due_at > now() + interval '5 s' AS put_off FROM runs.run_evaluation WHERE run_id = $1`,
        [id],
      );
      expect(row).toEqual({ put_off: true });
    });
    expect(await evaluations.show(agentId, id)).toMatchObject({
      status: 'in_progress',
      passed: 0,
      total: 0,
      results: [],
    });
    expect((await runs.show(id)).run.eval_summary).toBeNull();
    await runs.call(stopRun, { params: { run_id: id } });
    await evaluations.hurry(id);
    expect(verdictsOf(await evaluations.judged(agentId, id))).toEqual(allPassed);
  });

  it('has none of a run that was stopped or has not ended', async () => {
    const agentId = await runs.agent(['ask Which?']);
    const { id } = await runs.start(agentId);
    await runs.reach(id, 'waiting');
    expect(await evaluations.show(agentId, id)).toBeNull();
    await runs.call(stopRun, { params: { run_id: id } });
    const { agentId: other, id: later } = await judgedRun(['finish Done']);
    expect(await evaluations.row(later)).toBeDefined();
    expect(await evaluations.row(id)).toBeUndefined();
    const { body } = await runs.call(getAgentRun, { params: { agentId, runId: id } });
    expect(body.evaluation).toBeNull();
    expect(other).not.toBe(agentId);
  });

  it('shows nothing under another agent or to another team', async () => {
    const { agentId, id } = await judgedRun(['finish Done']);
    const unknown = await runs.call(getRunEvaluation, { params: { agentId, runId: uuidv7() } });
    expect(unknown.status).toBe(404);
    const otherAgent = await runs.call(getRunEvaluation, { params: { agentId: uuidv7(), runId: id } });
    const otherTeam = await runs.call(getRunEvaluation, {
      params: { agentId, runId: id },
      teamId: uuidv7(),
    });
    expect([otherAgent, otherTeam]).toMatchObject([
      { status: 404, body: unknown.body },
      { status: 404, body: unknown.body },
    ]);
  });

  it('judges many runs, and leaves none behind', async () => {
    const agentId = await runs.agent(['say Hello', 'finish Done']);
    const count = 400;
    await Promise.all(Array.from({ length: count }, () => runs.start(agentId, { message: 'x' })));
    await eventually(
      async () => {
        const rows = await runs.database.query(
          `SELECT status, passed, count(*)::int AS runs FROM runs.run_evaluation WHERE agent_id = $1
            GROUP BY status, passed`,
          [agentId],
        );
        expect(rows).toEqual([{ status: 'ready', passed: 4, runs: count }]);
      },
      { timeoutMs: 40_000, everyMs: 250 },
    );
  });
});
