import { createAgent, createSchedule, updateSchedule } from '@aos/contracts';
import { TeamCaller, type ServiceAnswer } from '@aos/testing';
import type { Operation } from '@aos/contracts';
import type { RunningService } from '@aos/service';
import { startAgents, startReplica, type AgentsUnderTest } from './agents-under-test.js';

/** The plan `trial` allows 3 agents, and one schedule for each. */
const trial = { agents: 3, schedules: 1 };
const atOnce = 50;

describe('the plan of a team', () => {
  let under: AgentsUnderTest;
  let replica: RunningService;

  beforeAll(async () => {
    under = await startAgents();
    // Requests are shared by both, so that neither can go by what it knows alone.
    replica = await startReplica(under.environment);
  });

  afterAll(async () => {
    await replica?.close();
    await under?.stop();
  });

  const teamOfTrial = async () => {
    const team = new TeamCaller(under.services);
    await under.database.query('INSERT INTO agents_and_revisions.team_plan VALUES ($1, $2)', [
      team.teamId,
      'trial',
    ]);
    return team;
  };
  const many = <O extends Operation>(ask: () => Promise<ServiceAnswer<O>>) =>
    Promise.all(Array.from({ length: atOnce }, ask));
  const tally = (answers: readonly ServiceAnswer<Operation>[]) => {
    const kinds: Record<string, number> = {};
    for (const { status, body } of answers) {
      const kind = body.error === undefined ? String(status) : `${status} ${body.error}: ${body.message}`;
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
    return kinds;
  };

  it(`allows as many agents as it says, exactly, for ${atOnce} at once on two replicas`, async () => {
    const team = await teamOfTrial();
    expect(tally(await many(() => team.call(createAgent)))).toEqual({
      201: trial.agents,
      '403 entitlement_exceeded: The plan of the team allows 3: agents.': atOnce - trial.agents,
    });
  });

  it(`allows as many enabled schedules of an agent, exactly, for ${atOnce} at once on two replicas`, async () => {
    const team = await teamOfTrial();
    const { agent_id: agentId } = await team.succeed(createAgent);
    const params = { agent_id: agentId };
    const refused = '403 entitlement_exceeded: The plan of the team allows 1: schedules_per_agent.';
    const answers = await many(() => team.call(createSchedule, { params }));
    expect(tally(answers)).toEqual({
      [createSchedule.status]: trial.schedules,
      [refused]: atOnce - trial.schedules,
    });
    // One that is not enabled may be there, and is refused when it is to be.
    const off = await team.succeed(createSchedule, { params, body: { enabled: false } });
    const enable = { params: { ...params, schedule_id: off.id }, body: { enabled: true } };
    expect(tally([await team.call(updateSchedule, enable)])).toEqual({ [refused]: 1 });
  });

  it('leaves teams alone that have another', async () => {
    const team = new TeamCaller(under.services);
    expect(tally(await many(() => team.call(createAgent)))).toEqual({ 201: atOnce });
  });
});
