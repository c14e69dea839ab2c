import {
  createAgent,
  createEvalRubric,
  createRevision,
  findRubrics,
  getEvalScores,
  getRevision,
  promoteRevision,
  startRun,
} from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import type { RunningService } from '@aos/service';
import { eventually, startServiceHere } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { startAgents, type AgentsUnderTest } from './agents-under-test.js';

describe('the gate of a promotion', () => {
  let agents: AgentsUnderTest;
  let runs: RunningService | undefined;

  beforeAll(async () => {
    agents = await startAgents();
    runs = await startServiceHere('runs', agents.environment);
  });

  afterAll(async () => {
    await runs?.close();
    await agents?.stop();
  });

  /** A draft of an agent that repeats what it is told, and has to say "ok". */
  async function draft(): Promise<{ agent: string; build: string }> {
    const config = { data: { input: '```steps\nfinish {{message}}\n```' } };
    const made = await agents.call(createAgent, { body: { build: { config } } });
    const agent = made.body.agent_id;
    const rubric = { title: 'Says ok', description: 'The agent says "ok" in the end.' };
    await agents.call(createEvalRubric, { params: { agentId: agent }, body: rubric });
    const { body } = await agents.call(createRevision, { params: { agent_id: agent } });
    return { agent, build: body.build_id };
  }

  /** Runs of the draft that were judged. */
  async function judgedRuns(agent: string, build: string, messages: readonly string[]): Promise<void> {
    for (const message of messages) {
      const { status } = await agents.call(startRun, { body: { agent_id: agent, build_id: build, message } });
      expect(status).toBe(201);
    }
    await eventually(
      async () => {
        const { body } = await agents.call(getEvalScores, {
          params: { agentId: agent },
          query: { revision_id: build },
        });
        expect(body.total_evaluated).toBe(messages.length);
      },
      { timeoutMs: 30_000 },
    );
  }

  const promote = (build: string, require: object, key?: string) =>
    agents.call(promoteRevision, { params: { build_id: build }, body: { require }, key });

  const statusOf = async (agent: string, build: string) =>
    (await agents.call(getRevision, { params: { agent_id: agent, build_id: build } })).body.status;

  it('is shut until enough runs were evaluated', async () => {
    const { agent, build } = await draft();
    const refused = await promote(build, { min_pass_rate: 0.9, min_evaluated: 2 });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: 'invalid_state',
        message: expect.stringMatching(/^0 runs .* 2 are required; none .* 90 %/),
      },
    });
    await judgedRuns(agent, build, ['ok', 'ok']);
    expect(await statusOf(agent, build)).toBe('draft');
    expect((await promote(build, { min_pass_rate: 0.9, min_evaluated: 3 })).body.message).toMatch(
      /^2 runs .* 3 are required; 2 \(100 %\) of them passed/,
    );
    expect((await promote(build, { min_pass_rate: 1, min_evaluated: 2 })).status).toBe(200);
    expect(await statusOf(agent, build)).toBe('live');
  });

  it('is shut while too many runs have issues, and opens when the rate is reached', async () => {
    const { agent, build } = await draft();
    await judgedRuns(agent, build, ['ok', 'ok', 'no']);
    const refused = await promote(build, { min_pass_rate: 0.7 });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: 'invalid_state',
        message:
          '3 runs of this revision have been evaluated, 1 are required; 2 (66.6 %) of them passed, 70 % is required.',
      },
    });
    expect(await statusOf(agent, build)).toBe('draft');
    expect((await promote(build, { min_pass_rate: 0.66 })).status).toBe(200);
    // Once live, nothing is asked of it.
    expect((await promote(build, { min_pass_rate: 1 })).status).toBe(200);
  });

  it('answers a repeated request as it did the first time', async () => {
    const { agent, build } = await draft();
    const required = { min_pass_rate: 0.5, min_evaluated: 1 };
    const [first, second] = [uuidv7(), uuidv7()];
    const refused = await promote(build, required, first);
    expect(refused.status).toBe(409);
    await judgedRuns(agent, build, ['ok']);
    expect(await promote(build, required, first)).toMatchObject({ text: refused.text, replayed: true });
    const promoted = await promote(build, required, second);
    expect(promoted.status).toBe(200);
    expect(await promote(build, required, second)).toMatchObject({ text: promoted.text, replayed: true });
  });

  it('does not ask about what is another team’s', async () => {
    const { build } = await draft();
    const stranger = { params: { build_id: build }, body: { require: {} }, teamId: uuidv7() };
    expect((await agents.call(promoteRevision, stranger)).status).toBe(404);
  });

  it('tells the rubrics of many builds, in order, and none of another team’s', async () => {
    const [one, two] = [await draft(), await draft()];
    const wanted = (build_id: string, team_id = agents.teamId) => ({ team_id, build_id });
    const services = agents.running.app.get(ServiceClient);
    const { found } = await services.call(findRubrics, {
      wanted: [wanted(two.build), wanted(uuidv7()), wanted(one.build), wanted(one.build, uuidv7())],
    });
    const rubric = { slug: 'says-ok', title: 'Says ok', severity: 'medium', version: 1 };
    expect(found).toMatchObject([[rubric], [], [rubric], []]);
    expect(found[0]![0]!.rubric_id).not.toBe(found[2]![0]!.rubric_id);
  });

  it('cannot be passed while the run service is away; without a gate nobody asks it', async () => {
    const { agent, build } = await draft();
    await runs!.close();
    runs = undefined;
    const key = uuidv7();
    expect(await promote(build, { min_evaluated: 0 }, key)).toMatchObject({
      status: 503,
      body: { error: 'unavailable' },
    });
    expect(await statusOf(agent, build)).toBe('draft');
    const plain = await agents.call(promoteRevision, { params: { build_id: build } });
    expect(plain.status).toBe(200);
  });
});
