import { defineEvent, idSchema, type TypedBusEvent } from '@aos/contracts';
import { Consumes, Outbox } from '@aos/events';
import { newId, Transactions } from '@aos/persistence';
import { Metrics } from '@aos/platform';
import { defineService, startService, type RunningService } from '@aos/service';
import { Injectable, Module } from '@nestjs/common';
import { z } from 'zod';
import { FixtureConsumer } from '../src/fixture/fixture-consumer.js';
import {
  createTestDatabase,
  createWidget,
  eventually,
  fixtureConsumerService,
  fixtureEntries,
  fixtureService,
  fixtureTable,
  loggedEvents,
  recordSilently,
  type ServiceProcess,
  startServiceProcess,
  startTestClient,
  type TestClient,
  testConfig,
  type TestDatabase,
  testEnvironment,
  widgetCreated,
} from '../src/index.js';
import { callOperation, having, makeWidgets, resultOf } from './fixture-calls.js';
import { allSeenOnce, seenPositions } from './seen-events.js';

/** What the next version of the fixture tells, and its consumer hears. */
const widgetRenamed = defineEvent({
  name: 'fixture.widget.renamed',
  source: 'fixture',
  visibility: 'internal',
  data: z.object({ widget_id: idSchema, name: z.string() }),
  consumers: ['fixture-consumer'],
});

const renamed: string[] = [];

@Injectable()
class RenamedConsumer {
  @Consumes(widgetRenamed)
  async heard(events: readonly TypedBusEvent<typeof widgetRenamed>[]): Promise<void> {
    renamed.push(...events.map(({ data }) => data.widget_id));
  }
}

@Module({ providers: [FixtureConsumer, RenamedConsumer] })
class NextConsumerModule {}

const nextConsumer = defineService({
  name: 'fixture-consumer',
  table: { ...fixtureTable, events: [...fixtureTable.events, widgetRenamed] },
  model: fixtureConsumerService.model,
  modules: [NextConsumerModule],
});

describe('events through the outbox', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let client: TestClient;
  let services: RunningService[];
  let processes: ServiceProcess[];

  beforeEach(async () => {
    database = await createTestDatabase([fixtureService, fixtureConsumerService]);
    environment = testEnvironment({ DATABASE_URL: database.url });
    client = startTestClient(environment);
    services = [await startService(fixtureService, testConfig(environment))];
    processes = [];
  });

  afterEach(async () => {
    client.close();
    await Promise.all(processes.map((child) => child.stop()));
    await Promise.all(services.map((service) => service.close()));
    await database.drop();
  });

  const consume = async () => {
    services.push(await startService(fixtureConsumerService, testConfig(environment)));
  };
  const make = (count: number, atOnce: number, prefix?: string) =>
    makeWidgets(client.services, { count, atOnce, prefix });

  it('reach the consumer once, with what they tell', async () => {
    await consume();
    const { body } = await callOperation(client.services, createWidget, { name: 'told' });
    await allSeenOnce(database, 1);
    const [seen] = await database.query<{ widget_id: string }>('SELECT * FROM fixture_consumer.seen_widget');
    expect(seen!.widget_id).toBe((JSON.parse(body) as { widget_id: string }).widget_id);
  });

  it('are numbered without a gap while 20 write and two replicas relay', async () => {
    processes.push(await startServiceProcess(fixtureEntries.fixture, environment));
    await consume();
    expect(having(await make(500, 20), 201)).toHaveLength(500);
    await allSeenOnce(database, 500);
    const [log] = await database.query(
      `SELECT count(*)::int, count(DISTINCT position)::int AS positions, min(position)::int, max(position)::int,
              (SELECT position::int FROM fixture.outbox_head) AS head FROM ${loggedEvents('fixture')} AS log`,
    );
    expect(log).toEqual({ count: 500, positions: 500, min: 1, max: 500, head: 500 });
  });

  it('are not published by a transaction that was rolled back', async () => {
    await consume();
    for (const fail of ['limit_reached', 'unavailable', 'crash']) {
      await resultOf(callOperation(client.services, createWidget, { name: 'undone', fail }));
    }
    await callOperation(client.services, createWidget, { name: 'done' });
    await allSeenOnce(database, 1);
    expect(await database.query('SELECT data FROM fixture.logged_event')).toEqual([
      { data: expect.objectContaining({ name: 'done' }) as object },
    ]);
  });

  it('are found though they were committed long after thousands that came later', async () => {
    const [service] = services;
    const transactions = service!.app.get(Transactions);
    const outbox = service!.app.get(Outbox);
    const told = (name: string) => ({
      event: widgetCreated,
      teamId: null,
      data: { widget_id: newId(), name },
    });
    let commit!: () => void;
    const held = new Promise<void>((resolve) => (commit = resolve));
    let isWritten!: () => void;
    const written = new Promise<void>((resolve) => (isWritten = resolve));
    const late = transactions.run(async () => {
      await outbox.record(told('late'));
      isWritten();
      await held;
    });
    await written;
    const many = 6_000;
    for (let count = 0; count < many; count += 500) {
      await transactions.run(() => outbox.record(...Array.from({ length: 500 }, () => told('early'))));
    }
    // Each could have been a batch of its own.
    await database.query(`SELECT setval('fixture.outbox_batch_id_seq', ${many})`);
    await transactions.run(() => outbox.record(told('early')));
    const log = loggedEvents('fixture');
    const last = () =>
      database.query<{ name: string; batch_id: string; position: string | null }>(
        `SELECT data ->> 'name' AS name, batch_id, position FROM ${log} AS log ORDER BY position DESC LIMIT 1`,
      );
    const numbered = `SELECT count(*)::int AS count FROM ${log} AS log WHERE position IS NOT NULL`;
    await eventually(async () => expect(await database.query(numbered)).toEqual([{ count: many + 1 }]));
    commit();
    await late;
    await eventually(async () => {
      expect(await last()).toEqual([{ name: 'late', batch_id: '1', position: String(many + 2) }]);
    });
  });

  it('all reach a consumer that starts late', async () => {
    await make(450, 20);
    await consume();
    await allSeenOnce(database, 450);
    await make(10, 2, 'later');
    await allSeenOnce(database, 460);
  });

  /** Records an event of a widget with a name of this length; gives the widget's id. */
  const record = async (nameLength: number): Promise<string> => {
    const { app } = services[0]!;
    const data = { widget_id: newId(), name: 'x'.repeat(nameLength) };
    const event = { event: widgetCreated, teamId: null, data };
    await app.get(Transactions).run(() => app.get(Outbox).record(event));
    return data.widget_id;
  };

  it('reach a consumer in order though some are too large for the stream', async () => {
    await consume();
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1) ids.push(await record(count % 3 === 0 ? 300_000 : 10));
    await eventually(async () => expect(await seenPositions(database)).toHaveLength(30));
    const seen = await database.query<{ widget_id: string }>(
      'SELECT widget_id FROM fixture_consumer.seen_widget ORDER BY position',
    );
    expect(seen.map(({ widget_id: id }) => id)).toEqual(ids);
    const bytes = await client.connections.shared.call(
      'MEMORY',
      'USAGE',
      client.connections.key('events', 'fixture'),
      'SAMPLES',
      0,
    );
    expect(Number(bytes)).toBeLessThan(100_000);
  });

  it('all reach a consumer that starts late though they are large', async () => {
    for (let count = 0; count < 20; count += 1) await record(900_000);
    await eventually(async () => {
      const [head] = await database.query<{ position: string }>('SELECT position FROM fixture.outbox_head');
      expect(head!.position).toBe('20');
    });
    await client.connections.shared.del(client.connections.key('events', 'fixture'));
    await consume();
    await eventually(async () => expect(await seenPositions(database)).toHaveLength(20));
    expect(await seenPositions(database)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it('reach the consumer after entries in the stream that are none', async () => {
    await consume();
    await make(1, 1, 'first');
    await allSeenOnce(database, 1);
    const stream = client.connections.key('events', 'fixture');
    const meta = { team_id: null, source: 'fixture', position: 2 };
    const event = {
      id: newId(),
      event: widgetCreated.name,
      created_at: new Date().toISOString(),
      data: {},
      meta,
    };
    const none = [
      null,
      [],
      { meta },
      { ...event, id: 2 },
      { ...event, data: [] },
      { ...event, meta: { ...meta, position: '2' } },
      { ...event, meta: { ...meta, team_id: 2 } },
      { ...event, meta: { ...meta, epoch: 2 } },
    ];
    const garbage = ['', '{{{', 'null', JSON.stringify(event), ...none.map((one) => JSON.stringify([one]))];
    for (const text of garbage) await client.connections.shared.xadd(stream, '*', 'e', text);
    await client.connections.shared.xadd(stream, '*', 'x', 'y', 'z', 'z');
    await make(3, 1, 'second');
    await allSeenOnce(database, 4);
  });

  it('that were removed too early are reported, and the others are consumed', async () => {
    await make(5, 1);
    await eventually(async () => {
      const [head] = await database.query<{ position: string }>('SELECT position FROM fixture.outbox_head');
      expect(head!.position).toBe('5');
    });
    await database.query('DELETE FROM fixture.outbox_batch WHERE after < 3');
    const consumer = await startServiceProcess(fixtureEntries['fixture-consumer'], {
      ...environment,
      LOG_LEVEL: 'error',
    });
    processes.push(consumer);
    await eventually(async () => expect(await seenPositions(database)).toEqual([4, 5]));
    // What a process prints comes later than what it writes.
    await eventually(() => {
      const lines = consumer.output().split('\n');
      const report = lines.filter((line) => line.includes('events were removed before they were consumed'));
      expect(report.map((line) => JSON.parse(line) as object)).toEqual([
        expect.objectContaining({ source: 'fixture', from: 1, to: 3 }),
      ]);
    });
  });

  it('that were removed too early are counted', async () => {
    await make(5, 1);
    await eventually(async () => {
      const [head] = await database.query<{ position: string }>('SELECT position FROM fixture.outbox_head');
      expect(head!.position).toBe('5');
    });
    await database.query('DELETE FROM fixture.outbox_batch WHERE after < 3');
    await client.connections.shared.del(client.connections.key('events', 'fixture'));
    await consume();
    const metrics = services.at(-1)!.app.get(Metrics);
    await eventually(async () => expect(await seenPositions(database)).toEqual([4, 5]));
    await eventually(async () => {
      expect(await metrics.text()).toMatch(/aos_events_missed_total\{source="fixture",[^}]*\} 3\n/);
    });
  });

  it('of a newer version are kept until that version handles them, and hold up no other', async () => {
    await consume();
    await make(1, 1);
    await allSeenOnce(database, 1);
    // The producer is of the next version, the consumer is not.
    const data = { widget_id: newId(), name: 'new' };
    await recordSilently(
      database,
      'fixture',
      `SELECT 'fixture.widget.renamed' AS event, NULL::uuid AS team_id, $1::jsonb AS data, '{}'::jsonb AS meta, now() AS created_at`,
      [JSON.stringify(data)],
    );
    await make(1, 1, 'after');
    await eventually(async () => expect(await seenPositions(database)).toEqual([1, 3]));
    const kept = () =>
      database.query<{ name: string; error: string }>(
        `SELECT event ->> 'event' AS name, error FROM fixture_consumer.dead_event`,
      );
    expect(await kept()).toEqual([
      { name: 'fixture.widget.renamed', error: expect.stringContaining('does not know') as string },
    ]);
    // Tried again by the same version it stays; the next version knows the name.
    const due = 'UPDATE fixture_consumer.dead_event SET next_attempt_at = now()';
    await database.query(due);
    await eventually(async () => {
      const [row] = await database.query<{ attempts: number }>(
        'SELECT attempts FROM fixture_consumer.dead_event',
      );
      expect(row!.attempts).toBe(2);
    });
    await services.pop()!.close();
    services.push(await startService(nextConsumer, testConfig(environment)));
    await database.query(due);
    await eventually(async () => expect(await kept()).toEqual([]));
    expect(renamed).toEqual([data.widget_id]);
  });

  it('that cannot be handled for a month are given up', async () => {
    await database.query(
      `INSERT INTO fixture_consumer.dead_event (id, source, position, event, error, attempts, next_attempt_at, created_at)
       SELECT gen_random_uuid(), 'fixture', age, jsonb_build_object('id', gen_random_uuid(), 'event', 'fixture.widget.created'),
              'broken', 9, now() + interval '1 hour', now() - make_interval(days => age)
         FROM unnest(array[1, 29, 31, 400]) AS age`,
    );
    await consume();
    await eventually(async () => {
      const left = await database.query(
        'SELECT position::int FROM fixture_consumer.dead_event ORDER BY position',
      );
      expect(left).toEqual([{ position: 1 }, { position: 29 }]);
    });
  });

  it('older than the retention are removed from the log, pending ones never', async () => {
    await make(4, 1);
    await eventually(async () => {
      const pending = await database.query('SELECT 1 FROM fixture.outbox_batch WHERE after IS NULL');
      expect(pending).toEqual([]);
    });
    await services.pop()!.close();
    await database.query(
      `UPDATE fixture.outbox_batch SET created_at = now() - interval '2 hours' WHERE after <> 2`,
    );
    const brief = testConfig({ ...environment, OUTBOX_RETENTION_HOURS: '1' });
    services.push(await startService(fixtureService, brief));
    await eventually(async () => {
      const left = await database.query(
        `SELECT position::int FROM ${loggedEvents('fixture')} AS log ORDER BY position`,
      );
      // What lies behind a young one is not looked at.
      expect(left).toEqual([{ position: 3 }, { position: 4 }]);
    });
  });

  describe('that cannot be handled', () => {
    const dead = () =>
      database.query<{ position: number; attempts: number; error: string; minutes: number }>(
        `SELECT position::int, attempts, error,
                round(extract(epoch FROM next_attempt_at - now()) / 60)::int AS minutes
           FROM fixture_consumer.dead_event ORDER BY position`,
      );

    it('are put aside after some tries while the others go on, and handled when the cause is gone', async () => {
      await database.query(`INSERT INTO fixture_consumer.poisoned_name VALUES ('poison')`);
      await consume();
      for (const name of ['before', 'poison', 'after']) {
        await callOperation(client.services, createWidget, { name });
      }
      await eventually(async () => expect(await seenPositions(database)).toEqual([1, 3]));
      expect(await dead()).toEqual([
        {
          position: 2,
          attempts: 5,
          error: expect.stringContaining('cannot bear poison') as string,
          minutes: 1,
        },
      ]);

      // Due again, and still poisoned: put off for longer.
      const makeDue = () => database.query('UPDATE fixture_consumer.dead_event SET next_attempt_at = now()');
      await makeDue();
      await eventually(async () => {
        const [event] = await dead();
        expect(event!.attempts).toBe(6);
        expect(event!.minutes).toBeGreaterThan(1);
      });
      expect(await seenPositions(database)).toEqual([1, 3]);

      await database.query('DELETE FROM fixture_consumer.poisoned_name');
      await makeDue();
      await eventually(async () => expect(await seenPositions(database)).toEqual([1, 3, 2]));
      expect(await dead()).toEqual([]);
      await make(2, 1);
      await eventually(async () => expect(await seenPositions(database)).toEqual([1, 3, 2, 4, 5]));
    });
  });
});
