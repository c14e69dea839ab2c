import type { RunningService } from '@aos/service';
import { startServiceHere } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { redirectUri, startConnections, type ConnectionsUnderTest } from './connections-under-test.js';

interface Question {
  readonly title: string;
  readonly confirm?: { readonly team_id: string; readonly token: string };
}

describe('a consent that a person confirms', () => {
  let under: ConnectionsUnderTest;

  beforeAll(async () => {
    under = await startConnections({ environment: { OAUTH_CONFIRM_CONSENT: 'true' } });
  });

  afterAll(() => under?.stop());

  /** The browser comes back; gives the address, and what the person is asked. */
  async function comeBack(name: string) {
    const started = await under.team.start({ name });
    const redirected = await under.provider.consent(started.authorization_url);
    const { body } = await under.team.finishWith(redirected);
    return { id: started.connection_id, redirected, question: body as Question };
  }

  function confirmed(redirected: URL, token: string): URL {
    const url = new URL(redirected);
    url.searchParams.set('confirmed', token);
    return url;
  }

  it('is nothing until then: the team is named, and no code is sent', async () => {
    const before = under.provider.tokenRequests();
    const { id, redirected, question } = await comeBack('Our Acme');
    expect(question).toMatchObject({ title: 'Connect Our Acme?', confirm: { team_id: under.team.teamId } });
    // A reader who looks twice is asked twice.
    expect((await under.team.finishWith(redirected)).body).toHaveProperty('confirm');
    expect(under.provider.tokenRequests()).toBe(before);
    expect(await under.team.read(id)).toMatchObject({ status: 'pending' });
    const { body } = await under.team.finishWith(confirmed(redirected, question.confirm!.token));
    expect(body).toMatchObject({ title: 'Connected' });
    expect(await under.team.read(id)).toMatchObject({ status: 'active' });
    expect(await under.team.finishWith(confirmed(redirected, question.confirm!.token))).toMatchObject({
      status: 400,
    });
  });

  it('takes no answer that was made up, or that belongs to another consent', async () => {
    const [one, other] = [await comeBack('One'), await comeBack('Other')];
    for (const token of ['yes', other.question.confirm!.token]) {
      const { body } = await under.team.finishWith(confirmed(one.redirected, token));
      expect(body).toHaveProperty('confirm');
    }
    // The one who began knows the state, but not the code.
    const forged = confirmed(one.redirected, one.question.confirm!.token);
    forged.searchParams.set('code', other.redirected.searchParams.get('code')!);
    expect((await under.team.finishWith(forged)).body).toHaveProperty('confirm');
    expect(await under.team.read(one.id)).toMatchObject({ status: 'pending' });
  });

  it('asks nothing where the person has declined', async () => {
    const { state } = await under.team.start();
    const url = new URL(redirectUri);
    url.search = new URLSearchParams({
      state,
      error: 'access_denied',
      iss: under.provider.issuer,
    }).toString();
    expect(await under.team.finishWith(url)).toMatchObject({ status: 400 });
  });
});

describe('a consent where the operator has not said whether it is confirmed', () => {
  let under: ConnectionsUnderTest;
  let gateway: RunningService | undefined;

  beforeAll(async () => {
    under = await startConnections({ environment: { OAUTH_CONFIRM_CONSENT: '' } });
  });

  afterAll(async () => {
    await gateway?.close();
    await under?.stop();
  });

  const createTeam = () =>
    under.database.query(
      `INSERT INTO gateway.team (id, name, plan, created_at) VALUES ($1, 'Team', 'free', now())`,
      [uuidv7()],
    );
  const answerOf = async (started: Parameters<typeof under.team.finish>[0]) =>
    (await under.team.finish(started)).body;

  it('is confirmed while it is unknown how many teams there are', async () => {
    expect(await answerOf(await under.team.start())).toHaveProperty('confirm');
  });

  it('is confirmed from the second team on, also if it began before', async () => {
    gateway = await startServiceHere('gateway', under.environment);
    await createTeam();
    expect(await answerOf(await under.team.start())).toMatchObject({ title: 'Connected' });
    const begun = await under.team.start();
    await createTeam();
    expect(await answerOf(begun)).toHaveProperty('confirm');
  });

  it('is confirmed from then on without another question to the gateway', async () => {
    await under.database.query('DELETE FROM gateway.team');
    expect(await answerOf(await under.team.start())).toHaveProperty('confirm');
  });
});
