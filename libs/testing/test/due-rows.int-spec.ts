import { DueRows, Transactions } from '@aos/persistence';
import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  fixtureService,
  testConfig,
  testEnvironment,
  type TestDatabase,
} from '../src/index.js';

const none = 'SELECT FROM dead_event';
const some = 'SELECT FROM outbox_head WHERE id = 1';

describe('what loops of a quiet process ask', () => {
  let database: TestDatabase;
  let service: RunningService;
  let due: DueRows;

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService]);
    service = await startService(fixtureService, testConfig(testEnvironment({ DATABASE_URL: database.url })));
    due = service.app.get(DueRows, { strict: false });
  });

  afterAll(async () => {
    await service?.close();
    await database?.drop();
  });

  it('is one statement for all that ask within a moment, and each hears its answer', async () => {
    const { jest } = import.meta;
    const asked = jest.spyOn(service.app.get(Transactions, { strict: false }), 'query');
    expect(await Promise.all([due.any(none), due.any(some), due.any(none)])).toEqual([false, true, false]);
    expect(asked.mock.calls.filter(([sql]) => sql.includes(none))).toHaveLength(1);
    asked.mockRestore();
  });

  it('is asked anew the next time', async () => {
    expect(await due.any('SELECT FROM handled_event_batch')).toBe(false);
    expect(await due.any(some)).toBe(true);
  });

  it('fails for those that asked together, and for nobody after them', async () => {
    const [bad, good] = await Promise.allSettled([due.any('SELECT FROM no_such_table'), due.any(some)]);
    expect([bad.status, good.status]).toEqual(['rejected', 'rejected']);
    expect(await due.any(some)).toBe(true);
  });
});
