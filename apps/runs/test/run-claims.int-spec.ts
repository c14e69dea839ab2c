import { ServiceClient } from '@aos/messaging';
import { RunClaims } from '../src/run-core/claims/run-claims.js';
import { runsClient, startRuns, type RunsClient, type RunsUnderTest } from './runs-under-test.js';

describe('waiting runs of several teams', () => {
  let under: RunsUnderTest;
  let claims: RunClaims;

  beforeAll(async () => {
    // Nobody takes them but the test.
    under = await startRuns({ environment: { RUN_WORKERS: 'serve' } });
    claims = under.running.app.get(RunClaims);
    await under.database.query(`
      CREATE TABLE runs.broken_team (team_id uuid);
      CREATE FUNCTION runs.refuse_broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT FROM runs.broken_team WHERE broken_team.team_id = NEW.team_id) THEN
          RAISE 'This row is broken.';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse_broken BEFORE UPDATE ON runs.run FOR EACH ROW EXECUTE FUNCTION runs.refuse_broken()`);
  });

  afterAll(() => under?.stop());

  const breakRunsOf = (team: RunsClient) =>
    under.database.query('INSERT INTO runs.broken_team VALUES ($1)', [team.teamId]);
  const waitingRun = async (plan: string) => {
    const team = runsClient(under.running.app.get(ServiceClient), under.database);
    await under.database.query('INSERT INTO runs.team_plan VALUES ($1, $2)', [team.teamId, plan]);
    const { id } = await team.start(await team.agent(['finish done']));
    return { team, id };
  };
  const take = async (...runs: readonly { team: RunsClient }[]) => {
    const taken = await claims.claimOldest(new Map(runs.map(({ team }) => [team.teamId, 1])));
    return taken.map(({ id }) => id);
  };

  it.each([
    ['trial', 'trial', 'trial'],
    ['self_hosted', 'trial', 'self_hosted'],
  ])('are given to who took them, whatever fails for others (%s, %s, %s)', async (...plans) => {
    const [first, broken, last] = [
      await waitingRun(plans[0]!),
      await waitingRun(plans[1]!),
      await waitingRun(plans[2]!),
    ];
    await breakRunsOf(broken.team);
    expect(new Set(await take(first, broken, last))).toEqual(new Set([first.id, last.id]));
    await expect(take(first, broken, last)).rejects.toThrow('This row is broken.');
  });
});
