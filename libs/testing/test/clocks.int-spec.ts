import {
  createTestDatabase,
  createWidget,
  eventually,
  fixtureEntries,
  fixtureService,
  shiftedClock,
  startServiceProcess,
  startTestClient,
  testEnvironment,
  type TestDatabase,
} from '../src/index.js';
import { callOperation } from './fixture-calls.js';

const hourMs = 3_600_000;

describe('a service whose wall clock is wrong', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService]);
  });

  afterAll(() => database?.drop());

  it.each([
    ['ahead', hourMs],
    ['behind', -hourMs],
  ])('answers requests as any other where it is %s', async (_, aheadMs) => {
    const environment = testEnvironment({ DATABASE_URL: database.url });
    const client = startTestClient(environment);
    const replica = await startServiceProcess(fixtureEntries.fixture, {
      ...environment,
      ...shiftedClock(aheadMs),
    });
    try {
      for (let request = 0; request < 10; request += 1)
        expect((await callOperation(client.services, createWidget, {})).status).toBe(201);
      const stream = client.connections.key('rpc', 'fixture');
      await eventually(async () => expect(await client.connections.shared.xlen(stream)).toBe(0));
    } finally {
      await replica.stop();
      client.close();
    }
  });
});
