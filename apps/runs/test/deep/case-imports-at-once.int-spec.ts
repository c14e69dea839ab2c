import { importCases, stageImport } from '@aos/contracts';
import { Files, type FileStore } from '@aos/file-store';
import { ServiceClient } from '@aos/messaging';
import { eventually, waitingSessions } from '@aos/testing';
import pg from 'pg';
import { casesClient } from '../cases-under-test.js';
import { runsClient, startRuns, type RunsClient, type RunsUnderTest } from '../runs-under-test.js';

/** Of the places of a process, as many as one team may have while no other wants any. */
const ofOneTeam = 6;
/** As many of them as one team has under way at a gateway. */
const atOneGateway = 8;
const waitingOfOneTeam = 24;

describe('imports at the same time', () => {
  let runs: RunsUnderTest;
  let services: ServiceClient;
  let blocker: pg.Client;

  beforeAll(async () => {
    runs = await startRuns({ environment: { DATABASE_POOL_SIZE: '20' } });
    services = runs.running.app.get(ServiceClient);
    blocker = new pg.Client({ connectionString: runs.database.url });
    await blocker.connect();
  });

  afterAll(async () => {
    await blocker?.end();
    await runs?.stop();
  });

  const stage = ({ teamId }: RunsClient, queueId: string) =>
    services.call(stageImport, { team_id: teamId, queue_id: queueId });

  async function uploads(team: RunsClient, queueId: string, count: number) {
    const files = runs.running.app.get<FileStore>(Files);
    return Promise.all(
      Array.from({ length: count }, async () => {
        const { key } = await stage(team, queueId);
        const text = Buffer.from('title\none\ntwo\n');
        const { sizeBytes, sha256 } = await files.write(key, text, { maxBytes: 1_000 });
        return { key, size_bytes: sizeBytes, sha256 };
      }),
    );
  }

  const begin = (team: RunsClient, queueId: string, upload: Awaited<ReturnType<typeof uploads>>[number]) =>
    team.call(importCases, {
      params: { queue_id: queueId },
      body: { content_type: 'text/csv' },
      upload,
    });

  it('are so many of a team and no more, and leave places for the others; who finds none waits for it', async () => {
    const other = runsClient(services, runs.database);
    const [queueId, othersQueue] = await Promise.all([casesClient(runs).queue(), casesClient(other).queue()]);
    const [first, [others]] = await Promise.all([
      uploads(runs, queueId, atOneGateway),
      uploads(other, othersQueue, 1),
    ]);
    await blocker.query('BEGIN; LOCK TABLE runs.queue_case IN EXCLUSIVE MODE');
    const underWay = first.map((upload) => begin(runs, queueId, upload));
    await eventually(async () => expect(await waitingSessions(runs.database)).toBe(ofOneTeam));

    const ofOther = begin(other, othersQueue, others!);
    await eventually(async () => expect(await waitingSessions(runs.database)).toBe(ofOneTeam + 1));

    await blocker.query('COMMIT');
    for (const { body } of await Promise.all([...underWay, ofOther])) expect(body.accepted).toBe(2);
  });

  it('are refused before their bytes are sent where too many wait already', async () => {
    const queueId = await casesClient(runs).queue();
    const uploaded = await uploads(runs, queueId, ofOneTeam + waitingOfOneTeam);
    await blocker.query('BEGIN; LOCK TABLE runs.queue_case IN EXCLUSIVE MODE');
    const underWay = uploaded.map((upload) => begin(runs, queueId, upload));
    await eventually(async () =>
      expect(stage(runs, queueId)).rejects.toMatchObject({
        code: 'rate_limited',
        options: { retryAfterSeconds: 5 },
      }),
    );
    await blocker.query('COMMIT');
    for (const { body } of await Promise.all(underWay)) expect(body.accepted).toBe(2);
  });
});
