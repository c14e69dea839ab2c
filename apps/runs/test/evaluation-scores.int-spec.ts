import { createRevision, deleteAgent, getEvalScores, scoreBuild } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { uuidv7 } from 'uuidv7';
import { EvaluationsClient } from './evaluations-under-test.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

const nothing = { total_evaluated: 0, with_issues: 0, flag_distribution: [], trend: [] };

describe('the scores of an agent', () => {
  let runs: RunsUnderTest;
  let evaluations: EvaluationsClient;

  beforeAll(async () => {
    runs = await startRuns();
    evaluations = new EvaluationsClient(runs, runs.database);
  });

  afterAll(() => runs?.stop());

  const scores = async (agentId: string, query: Record<string, string> = {}) => {
    const answer = await runs.call(getEvalScores, { params: { agentId }, query });
    expect(answer.status).toBe(200);
    return answer.body;
  };

  /** A run with this message that was judged, as if it had ended at that time. */
  async function judgedRun(
    agentId: string,
    message: string,
    options: { at?: string; build_id?: string } = {},
  ) {
    const { at, build_id } = options;
    const { id } = await runs.start(agentId, { message, build_id });
    await evaluations.judged(agentId, id);
    if (at)
      await runs.database.query('UPDATE runs.run_evaluation SET ended_at = $2 WHERE run_id = $1', [id, at]);
    return id;
  }

  async function agentWithRubrics(): Promise<string> {
    const agentId = await runs.agent(['tool fly {}', 'finish {{message}}']);
    await evaluations.rubric(agentId, { title: 'Polite', description: 'The agent says "please" to people.' });
    await evaluations.rubric(agentId, { title: 'Thanks', description: 'The agent says "thanks" to people.' });
    return agentId;
  }

  it('counts runs, those with issues, and what they failed in, most frequent first', async () => {
    const agentId = await agentWithRubrics();
    await judgedRun(agentId, 'please and thanks');
    await judgedRun(agentId, 'please');
    await judgedRun(agentId, 'whatever');
    const today = new Date().toISOString().slice(0, 10);
    const all = await scores(agentId);
    expect(all).toMatchObject({
      total_evaluated: 3,
      with_issues: 3,
      flag_distribution: [
        { flag: 'no_tool_errors', label: 'No tool errors', count: 3 },
        { flag: 'thanks', label: 'Thanks', count: 2 },
        { flag: 'polite', label: 'Polite', count: 1 },
      ],
    });
    expect(all.trend.at(-1)!.date >= today).toBe(true);
    expect(await scores(agentId, { scope: 'custom' })).toMatchObject({
      total_evaluated: 3,
      with_issues: 2,
      flag_distribution: [
        { flag: 'thanks', count: 2 },
        { flag: 'polite', count: 1 },
      ],
    });
  });

  it('leaves out of the custom scope what no custom rubric could judge', async () => {
    const agentId = await runs.agent(['finish {{message}}']);
    await judgedRun(agentId, 'before there were rubrics');
    await evaluations.rubric(agentId, { description: 'Nothing here can be judged by it.' });
    await judgedRun(agentId, 'no phrase to look for');
    expect(await scores(agentId, { scope: 'custom' })).toEqual(nothing);
    expect(await scores(agentId)).toMatchObject({
      total_evaluated: 2,
      with_issues: 0,
      flag_distribution: [],
    });
  });

  it('has a row for each day of UTC on which runs ended, oldest first, of the last 30 days', async () => {
    const agentId = await runs.agent(['tool {{message}} {}', 'finish Done']);
    const polite = await runs.agent(['finish Done']);
    const day = (daysAgo: number, time: string) =>
      `${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)}T${time}Z`;
    await judgedRun(agentId, 'fly', { at: day(2, '00:00:00.000') });
    await judgedRun(agentId, 'fly', { at: day(2, '23:59:59.999') });
    await judgedRun(agentId, 'fly', { at: day(9, '12:00:00.000') });
    await judgedRun(agentId, 'fly', { at: day(40, '12:00:00.000') });
    await judgedRun(polite, 'x', { at: day(2, '12:00:00.000') });
    const rows = [
      { date: day(9, '').slice(0, 10), evaluated: 1, with_issues: 1 },
      { date: day(2, '').slice(0, 10), evaluated: 2, with_issues: 2 },
    ];
    expect(await scores(agentId)).toMatchObject({ total_evaluated: 3, with_issues: 3, trend: rows });
    expect((await scores(agentId, { since: day(2, '00:00:00.000') })).trend).toEqual(rows.slice(1));
    expect((await scores(agentId, { since: day(2, '00:00:00.0001') })).total_evaluated).toBe(1);
    expect((await scores(agentId, { since: '2001-01-01T00:00:00Z' })).trend).toHaveLength(3);
    expect((await scores(polite)).with_issues).toBe(0);
  });

  it('tells one revision from another, also to the service that promotes them', async () => {
    const agentId = await runs.agent(['finish Done']);
    await judgedRun(agentId, 'x');
    const config = { data: { input: '```steps\nfail Never\n```' } };
    const { body } = await runs.call(createRevision, { params: { agent_id: agentId }, body: { config } });
    await judgedRun(agentId, 'x', { build_id: body.build_id });
    await judgedRun(agentId, 'y', { build_id: body.build_id });
    expect(await scores(agentId)).toMatchObject({ total_evaluated: 3, with_issues: 2 });
    expect(await scores(agentId, { revision_id: body.build_id })).toMatchObject({
      total_evaluated: 2,
      with_issues: 2,
    });
    expect(await scores(agentId, { revision_id: uuidv7() })).toEqual(nothing);
    const services = runs.running.app.get(ServiceClient);
    const scoreOf = (buildId: string, teamId = runs.teamId) =>
      services.call(scoreBuild, { team_id: teamId, build_id: buildId });
    expect(await scoreOf(body.build_id)).toEqual({ evaluated: 2, passed: 0 });
    expect(await scoreOf(body.build.parent_build_id!)).toEqual({ evaluated: 1, passed: 1 });
    expect(await scoreOf(body.build_id, uuidv7())).toEqual({ evaluated: 0, passed: 0 });
  });

  it('counts only what has been judged', async () => {
    const agentId = await runs.agent(['finish Done']);
    const id = await judgedRun(agentId, 'x');
    for (const status of ['in_progress', 'unavailable']) {
      await runs.database.query(
        `UPDATE runs.run_evaluation SET status = $2, due_at = now() + interval '1 h' WHERE run_id = $1`,
        [id, status],
      );
      expect(await scores(agentId)).toEqual(nothing);
    }
  });

  it('knows agents without runs, and deleted ones by their runs; another team sees neither', async () => {
    const agentId = await runs.agent(['finish Done']);
    expect(await scores(agentId)).toEqual(nothing);
    const ask = (id: string, teamId?: string) =>
      runs.call(getEvalScores, { params: { agentId: id }, teamId });
    expect((await ask(agentId, uuidv7())).status).toBe(404);
    expect((await ask(uuidv7())).status).toBe(404);
    await judgedRun(agentId, 'x');
    expect((await ask(agentId, uuidv7())).status).toBe(404);
    await runs.call(deleteAgent, { params: { agent_id: agentId } });
    expect(await scores(agentId)).toMatchObject({ total_evaluated: 1 });
    expect(await scores(agentId, { since: '2999-01-01T00:00:00Z' })).toEqual(nothing);
  });
});
