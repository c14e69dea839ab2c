import { startService } from '@aos/service';
import {
  createTestDatabase,
  eventually,
  fixtureService,
  testConfig,
  testEnvironment,
  waitingSessions,
  type TestDatabase,
} from '../src/index.js';
import { openTransaction } from './blocking-session.js';

describe('expired idempotency records', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase([fixtureService]);
    await database.query(
      `INSERT INTO fixture.idempotency_record (scope, operation_id, fingerprint, status, body, expires_at)
       SELECT 'old-' || n, 'createWidget', 'f', 201, '{}', now() - interval '1 second'
         FROM generate_series(1, 2500) AS n
       UNION ALL SELECT 'young', 'createWidget', 'f', 201, '{}', now() + interval '1 hour'`,
    );
  });

  afterEach(async () => {
    await database?.drop();
  });

  const start = () =>
    startService(fixtureService, testConfig(testEnvironment({ DATABASE_URL: database.url })));
  const scopes = async () => {
    const rows = await database.query<{ scope: string }>('SELECT scope FROM fixture.idempotency_record');
    return rows.map(({ scope }) => scope);
  };

  it('are removed, and no others', async () => {
    const service = await start();
    try {
      await eventually(async () => expect(await scopes()).toEqual(['young']));
    } finally {
      await service.close();
    }
  });

  it('are not removed when a new request has just taken their place', async () => {
    const taker = await openTransaction(database);
    await taker.query(
      `UPDATE fixture.idempotency_record SET expires_at = now() + interval '1 day' WHERE scope = 'old-1'`,
    );
    const service = await start();
    try {
      await eventually(async () => expect(await waitingSessions(database)).toBe(1));
      await taker.commit();
      await eventually(async () => expect((await scopes()).length).toBeLessThanOrEqual(2));
      expect((await scopes()).sort()).toEqual(['old-1', 'young']);
    } finally {
      await service.close();
    }
  });
});
