import type { TypedBusEvent } from '@aos/contracts';
import { ConsumesByStatement, type EventStatement } from '@aos/events';
import { Transactions } from '@aos/persistence';
import { defineService, startService, type RunningService } from '@aos/service';
import { Injectable, Module } from '@nestjs/common';
import {
  createTestDatabase,
  createWidget,
  eventually,
  fixtureConsumerService,
  fixtureService,
  fixtureTable,
  startTestClient,
  testConfig,
  testEnvironment,
  widgetCreated,
  type TestClient,
  type TestDatabase,
} from '../src/index.js';
import { openTransaction } from './blocking-session.js';
import { callOperation, having, makeWidgets } from './fixture-calls.js';
import { allSeenOnce, expireLease, seenPositions } from './seen-events.js';

const told: number[] = [];

@Injectable()
class StatementConsumer {
  @ConsumesByStatement(widgetCreated)
  seen(
    events: readonly TypedBusEvent<typeof widgetCreated>[],
  ): EventStatement<{ readonly position: string }> | undefined {
    const rows = events
      .filter(({ data }) => data.name !== 'of no interest')
      .map(({ data, meta }) => ({
        widget_id: data.widget_id,
        name: data.name,
        position: meta.position,
      }));
    if (rows.length === 0) return undefined;
    return {
      // A name that is poisoned leaves the row without what it must have.
      sql: `INSERT INTO seen_widget (widget_id, position)
            SELECT CASE WHEN NOT EXISTS (SELECT FROM poisoned_name AS p WHERE p.name = r.name) THEN widget_id END,
                   position
              FROM jsonb_to_recordset($1::jsonb) AS r(widget_id uuid, name text, position bigint)
            RETURNING position`,
      parameters: [JSON.stringify(rows)],
      committed: (seen) => {
        told.push(...seen.map(({ position }) => Number(position)));
        if (events.some(({ data }) => data.name === 'hard to tell')) throw new Error('cannot tell');
      },
    };
  }
}

@Module({ providers: [StatementConsumer] })
class StatementConsumerModule {}

const statementConsumer = defineService({
  name: 'fixture-consumer',
  table: fixtureTable,
  model: fixtureConsumerService.model,
  modules: [StatementConsumerModule],
});

describe('events about which one statement is made', () => {
  let database: TestDatabase;
  let client: TestClient;
  let producer: RunningService;
  let consumer: RunningService;

  beforeEach(async () => {
    told.length = 0;
    database = await createTestDatabase([fixtureService, fixtureConsumerService]);
    const environment = testEnvironment({ DATABASE_URL: database.url });
    client = startTestClient(environment);
    producer = await startService(fixtureService, testConfig(environment));
    consumer = await startService(statementConsumer, testConfig(environment));
  });

  afterEach(async () => {
    import.meta.jest.restoreAllMocks();
    client.close();
    await Promise.all([producer.close(), consumer.close()]);
    await database.drop();
  });

  const make = (name: string) => callOperation(client.services, createWidget, { name });

  it('have their effect once and in order, without a transaction of their own, and what was made is told', async () => {
    // Behind it the consumer knows the epoch of the log, for which it needs a transaction.
    await make('first');
    await allSeenOnce(database, 1);
    const opened = import.meta.jest.spyOn(consumer.app.get(Transactions), 'run');
    expect(having(await makeWidgets(client.services, { count: 300, atOnce: 20 }), 201)).toHaveLength(300);
    await allSeenOnce(database, 301);
    await eventually(() => expect(told).toEqual(Array.from({ length: 301 }, (_, index) => index + 1)));
    expect(opened).not.toHaveBeenCalled();
  });

  it('move the position also when there is nothing to make', async () => {
    await make('of no interest');
    await make('seen');
    await eventually(async () => expect(await seenPositions(database)).toEqual([2]));
    await eventually(async () => {
      expect(await database.query('SELECT position::int FROM fixture_consumer.event_position')).toEqual([
        { position: 2 },
      ]);
    });
  });

  it('that cannot be handled are put aside, and handled when the cause is gone', async () => {
    await database.query(`INSERT INTO fixture_consumer.poisoned_name VALUES ('poison')`);
    for (const name of ['before', 'poison', 'after']) await make(name);
    await eventually(async () => expect(await seenPositions(database)).toEqual([1, 3]));
    expect(
      await database.query('SELECT position::int, attempts, error FROM fixture_consumer.dead_event'),
    ).toEqual([{ position: 2, attempts: 5, error: expect.stringContaining('seen_widget') as string }]);
    await database.query('DELETE FROM fixture_consumer.poisoned_name');
    await database.query('UPDATE fixture_consumer.dead_event SET next_attempt_at = now()');
    await eventually(async () => expect(await seenPositions(database)).toEqual([1, 3, 2]));
    await eventually(() => expect(told).toEqual([1, 3, 2]));
  });

  it('wait for a table that is locked, however often they run out of time, and keep their order', async () => {
    const other = await openTransaction(database);
    await other.query('LOCK TABLE fixture_consumer.seen_widget');
    for (const name of ['one', 'two']) await make(name);
    // As the time limit of statements does, only sooner.
    let cancelled = 0;
    await eventually(
      async () => {
        const waiting = await database.query(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'fixture-consumer' AND wait_event_type = 'Lock'`,
        );
        cancelled += waiting.length;
        expect(cancelled).toBeGreaterThanOrEqual(12);
      },
      { timeoutMs: 30_000 },
    );
    expect(await database.query('SELECT 1 FROM fixture_consumer.dead_event')).toEqual([]);
    await other.rollback();
    await allSeenOnce(database, 2);
  });

  it('have no effect after another replica has gone on, whatever is still received', async () => {
    for (const name of ['one', 'two', 'three']) await make(name);
    await allSeenOnce(database, 3);
    // As if another one had the lease and had handled two events more.
    await database.query(
      `UPDATE fixture_consumer.event_position
          SET position = 5, lease_owner = 'another', lease_until = now() + interval '1 hour'`,
    );
    for (const name of ['four', 'five', 'six', 'seven']) await make(name);
    await expireLease(database);
    await eventually(async () => expect((await seenPositions(database)).at(-1)).toBe(7));
    expect(await seenPositions(database)).toEqual([1, 2, 3, 6, 7]);
    expect(await database.query('SELECT 1 FROM fixture_consumer.dead_event')).toEqual([]);
  });

  it('stay handled though what follows from them fails', async () => {
    await make('hard to tell');
    await make('after');
    await allSeenOnce(database, 2);
    await eventually(() => expect(told).toEqual([1, 2]));
    expect(await database.query('SELECT 1 FROM fixture_consumer.dead_event')).toEqual([]);
  });
});
