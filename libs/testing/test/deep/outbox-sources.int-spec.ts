import { defineEvent, type TypedBusEvent } from '@aos/contracts';
import { Consumes } from '@aos/events';
import { defineService, startService, type RunningService } from '@aos/service';
import { Injectable, Module } from '@nestjs/common';
import { z } from 'zod';
import { FixtureConsumer } from '../../src/fixture/fixture-consumer.js';
import {
  createTestDatabase,
  fixtureConsumerService,
  fixtureService,
  fixtureTable,
  startTestClient,
  testConfig,
  testEnvironment,
  type TestClient,
  type TestDatabase,
} from '../../src/index.js';
import { makeWidgets } from '../fixture-calls.js';
import { allSeenOnce } from '../seen-events.js';

/** Belongs to a service that is not there. */
const unheard = defineEvent({
  name: 'absent.thing.happened',
  source: 'absent',
  visibility: 'internal',
  data: z.object({}),
  consumers: ['fixture-consumer'],
});

@Injectable()
class UnheardConsumer {
  @Consumes(unheard)
  async happened(_events: readonly TypedBusEvent<typeof unheard>[]): Promise<void> {}
}

@Module({ providers: [FixtureConsumer, UnheardConsumer] })
class TwoSourcesModule {}

const consumer = defineService({
  name: 'fixture-consumer',
  table: { ...fixtureTable, events: [...fixtureTable.events, unheard] },
  model: fixtureConsumerService.model,
  modules: [TwoSourcesModule],
});

describe('a consumer of two services, one of which is away', () => {
  let database: TestDatabase;
  let client: TestClient;
  let source: RunningService;
  let follower: RunningService;

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService, fixtureConsumerService]);
    // Shorter than a request for events may take: whoever waits for the one that is away ends too late.
    const environment = testEnvironment({ DATABASE_URL: database.url, SHUTDOWN_GRACE_MS: '2000' });
    client = startTestClient(environment);
    source = await startService(fixtureService, testConfig(environment));
    follower = await startService(consumer, testConfig(environment));
  });

  afterAll(async () => {
    client?.close();
    await follower?.close();
    await source?.close();
    await database?.drop();
  });

  it('goes on with the other, and ends without waiting', async () => {
    await makeWidgets(client.services, { count: 20, atOnce: 5 });
    await allSeenOnce(database, 20);
    expect(await follower.shutdown.run('the test')).toMatchObject({ clean: true });
    await makeWidgets(client.services, { count: 1, atOnce: 1, prefix: 'later' });
  });
});
