import { openConnections, reportConnectionFailure } from '@aos/contracts';
import {
  appEntry,
  shiftedClock,
  startServiceProcess,
  startTestClient,
  type ServiceProcess,
  type TestClient,
} from '@aos/testing';
import { startConnections, type ConnectionsUnderTest } from '../connections-under-test.js';

const hourMs = 3_600_000;

describe.each([
  ['ahead', hourMs],
  ['behind', -hourMs],
])('a process whose clock is an hour %s', (_, aheadMs) => {
  let under: ConnectionsUnderTest;
  let other: ServiceProcess;
  let client: TestClient;
  let ids: string[];

  beforeAll(async () => {
    under = await startConnections({ environment: { OAUTH_REFRESH_EVERY_MS: '600000' } });
    client = startTestClient(under.environment);
    ids = [];
    for (let made = 0; made < 3; made += 1) ids.push((await under.team.connect()).id);
    // From now on the other process alone answers.
    await under.running.close();
    other = await startServiceProcess(appEntry('connections'), {
      ...under.environment,
      ...shiftedClock(aheadMs),
    });
  });

  afterAll(async () => {
    client?.close();
    await other?.stop();
    await under?.stop();
  });

  async function versionOf(id: string): Promise<number> {
    const request = { team_id: under.team.teamId, connection_ids: [id] };
    const [opened] = (await client.services.call(openConnections, request)).connections;
    return opened?.ok ? opened.connection.version : -1;
  }

  const age = (id: string, expires: string, obtained: string) =>
    under.database.query(
      `UPDATE connections.connection
          SET token_stale_at = now() - interval '1 second', token_expires_at = now() + $2::interval,
              token_obtained_at = now() - $3::interval
        WHERE id = $1`,
      [id, expires, obtained],
    );

  it('uses a token as long as it is good', async () => {
    const asked = under.provider.tokenRequests();
    const version = await versionOf(ids[0]!);
    expect(version).toBeGreaterThan(0);
    expect(await versionOf(ids[0]!)).toBe(version);
    expect(under.provider.tokenRequests()).toBe(asked);
  });

  it('replaces one that has ended', async () => {
    const version = await versionOf(ids[1]!);
    await age(ids[1]!, '-1 second', '1 hour');
    expect(await versionOf(ids[1]!)).toBe(version + 1);
  });

  it('does not replace a young one that is refused', async () => {
    const version = await versionOf(ids[2]!);
    const asked = under.provider.tokenRequests();
    const reported = await client.services.call(reportConnectionFailure, {
      team_id: under.team.teamId,
      connection_id: ids[2]!,
      version,
      failure: { kind: 'unauthorized' },
    });
    expect(reported).toMatchObject({ retry: false });
    expect(under.provider.tokenRequests()).toBe(asked);
  });
});
