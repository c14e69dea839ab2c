import { eventually } from '@aos/testing';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';
import { agentWith, callEnds, linesOf, startSite, type Site } from './tools-under-test.js';

describe('a run that was under way when Postgres lost its latest commits', () => {
  let runs: RunsUnderTest;
  let site: Site;

  beforeAll(async () => {
    site = await startSite({
      '/pay': (response) => response.end('paid'),
      '/order': (response) => response.end('ordered'),
      '/look': (response) => response.end('seen'),
    });
    runs = await startRuns({ environment: { EGRESS_ALLOW_CIDRS: '127.0.0.0/8' } });
  });

  afterAll(async () => {
    await runs?.stop();
    await site?.close();
  });

  const lines = (...calls: [method: string, path: string][]) =>
    linesOf(calls.map(([method, path]) => ['http_request', { method, url: site.url(path) }]));

  async function timelineOf(runId: string): Promise<string | null> {
    const [row] = await runs.database.query<{ timeline: string | null }>(
      'SELECT timeline FROM runs.run WHERE id = $1',
      [runId],
    );
    return row!.timeline;
  }

  const present = async () => {
    const [row] = await runs.database.query<{ timeline: string }>(
      'SELECT runs.server_timeline() AS timeline',
    );
    return row!.timeline;
  };

  /** A run that sleeps first, and whose row came from another timeline. */
  async function runOfAnother(...calls: [method: string, path: string][]): Promise<string> {
    const { id } = await runs.start(
      await agentWith(runs, ['wait 1500', ...lines(...calls), 'finish {{result}}']),
    );
    await eventually(async () =>
      expect(
        await runs.database.query(
          `UPDATE runs.run SET timeline = 'another/00000001'
            WHERE id = $1 AND lease_token IS NULL AND wake_at > now() RETURNING id`,
          [id],
        ),
      ).toHaveLength(1),
    );
    return id;
  }

  it('keeps the timeline on which it was started', async () => {
    const { id } = await runs.start(await agentWith(runs, ['finish Done']));
    await runs.reach(id, 'completed');
    expect(await timelineOf(id)).toMatch(/^\d+\/[0-9A-F]{8}$/);
    expect(await timelineOf(id)).toBe(await present());
  });

  it('makes no call that must not be repeated, until the model makes it again', async () => {
    const before = site.at('/pay').length;
    const id = await runOfAnother(['POST', '/pay'], ['POST', '/order'], ['POST', '/pay']);
    await runs.reach(id, 'completed');
    expect((await callEnds(runs, id)).map(({ error }) => error)).toEqual([
      expect.stringContaining('lost the latest steps'),
      expect.stringContaining('lost the latest steps'),
      undefined,
    ]);
    expect([site.at('/pay').length, site.at('/order').length]).toEqual([before + 1, 0]);
    // Its end settles the doubt.
    expect(await timelineOf(id)).toBe(await present());
  });

  it('is in no doubt where commits waited for a standby of the same server', async () => {
    const before = site.at('/pay').length;
    const [server] = (await present()).split('/');
    const id = await runOfAnother(['POST', '/pay']);
    await runs.database.query('UPDATE runs.run SET timeline = $2 WHERE id = $1', [
      id,
      `${server}/000000FF/synchronous`,
    ]);
    await runs.reach(id, 'completed');
    expect(site.at('/pay')).toHaveLength(before + 1);
  });

  it('makes calls that may be repeated', async () => {
    const before = site.at('/look').length;
    const id = await runOfAnother(['GET', '/look']);
    expect((await runs.reach(id, 'completed')).run.result).toContain('seen');
    expect(site.at('/look')).toHaveLength(before + 1);
  });
});
