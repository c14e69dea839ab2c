import { createTestDatabase, eventually, startPostgresPair, type PostgresPair } from '@aos/testing';
import {
  callEnds,
  hang,
  linesOf,
  startKillableRuns,
  startSite,
  type KillableRuns,
  type Site,
} from '../tools-under-test.js';

/** Each failover has a pair of its own: the former primary is gone. */
describe('after a failover that has lost commits', () => {
  let pair: PostgresPair;
  let runs: KillableRuns;
  let site: Site;

  beforeAll(async () => {
    site = await startSite({
      '/pay': hang,
      '/paid': (response) => response.end('paid'),
      '/thanked': (response) => response.end('thanked'),
    });
    pair = await startPostgresPair();
    const database = await createTestDatabase([], pair.url);
    runs = await startKillableRuns({ RUN_LEASE_MS: '1500', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' }, database);
  });

  afterAll(async () => {
    await runs?.stop();
    await pair?.stop();
    await site?.close();
  });

  const agent = (...paths: string[]) =>
    runs.agent([
      'wait 4000',
      ...linesOf(paths.map((path) => ['http_request', { method: 'POST', url: site.url(path) }])),
      'finish {{result}}',
    ]);

  it('no call is made again that must not be repeated', async () => {
    const worker = await runs.startWorker();
    // One is under way at the failover, and of the other everything is lost but that it slept.
    const ids: string[] = [];
    for (const paths of [['/pay'], ['/paid', '/thanked']])
      ids.push((await runs.start(await agent(...paths))).id);
    await eventually(async () => {
      const sleeping = await runs.database.query(
        'SELECT id FROM runs.run WHERE id = ANY ($1) AND wake_at > now() AND lease_token IS NULL',
        [ids],
      );
      expect(sleeping).toHaveLength(2);
    });
    await pair.loseCommitsFromNowOn();
    await runs.reach(ids[1]!, 'completed');
    await eventually(() => expect(site.at('/pay')).toHaveLength(1));

    worker.signal('SIGKILL');
    await worker.exited;
    await pair.failover();
    await runs.startWorker();

    for (const [index, id] of ids.entries()) {
      const { run } = await runs.reach(id, 'completed');
      expect(run.result).toContain('lost the latest steps');
      expect(await callEnds(runs, id)).toHaveLength(index + 1);
    }
    expect(['/pay', '/paid', '/thanked'].map((path) => site.at(path).length)).toEqual([1, 1, 1]);
  });
});
