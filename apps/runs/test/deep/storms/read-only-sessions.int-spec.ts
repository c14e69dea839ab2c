import { setTimeout as delay } from 'node:timers/promises';
import { ofStorm, openDatabase } from '@aos/testing';
import { DistantRuns } from '../../distant-runs.js';

/** How often half of the sessions come to a server that takes no writes. */
const rounds = ofStorm({ short: 10, long: 60 });
const roundMs = 2_000;

describe('runs while half of the sessions are read-only', () => {
  let distant: DistantRuns;

  beforeAll(async () => {
    distant = await DistantRuns.start();
  });

  afterAll(() => distant?.stop());

  it(
    'end as they should, and are served again at once',
    async () => {
      const operator = openDatabase(
        `${distant.database.url}?options=${encodeURIComponent('-c default_transaction_read_only=off')}`,
      );
      const setReadOnly = (value: 'on' | 'off') =>
        operator.query(
          `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database()); END $$`,
        );
      const endHalfOfSessions = () =>
        operator.query(
          `SELECT pg_terminate_backend(pid)
             FROM (SELECT pid, row_number() OVER (ORDER BY backend_start, pid) AS place FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name = 'runs') AS session
            WHERE place % 2 = 0`,
        );
      try {
        const seen = await distant.traffic.during(50, async (traffic) => {
          await traffic.isServed(5, 30_000);
          for (let round = 0; round < rounds; round += 1) {
            await setReadOnly('on');
            await endHalfOfSessions();
            await delay(roundMs / 2);
            await setReadOnly('off');
            await delay(roundMs / 2);
          }
          await traffic.isServed(40, 40_000);
        });
        expect([200, 201, 503, 'unavailable']).toEqual(
          expect.arrayContaining([...new Set(seen.map(({ outcome }) => outcome))]),
        );
        expect(seen.filter(({ outcome }) => outcome === 201).length).toBeGreaterThan(0);
      } finally {
        await setReadOnly('off');
        await operator.close();
      }
      expect(await distant.traffic.unexpectedEnds()).toEqual([]);
    },
    rounds * roundMs + 120_000,
  );
});
