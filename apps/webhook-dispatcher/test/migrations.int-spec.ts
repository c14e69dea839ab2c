import { createDataSource } from '@aos/persistence';
import { databaseOf, loadServiceConfig, migrateService, modelOf } from '@aos/service-host';
import { createTestDatabase, schemaDrift, testEnvironment, type TestDatabase } from '@aos/testing';
import { service } from '../src/index.js';

describe('the tables of the dispatcher', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase([]);
  });

  afterEach(() => database?.drop());

  const config = () =>
    loadServiceConfig(service.name, service.configSchema, testEnvironment({ DATABASE_URL: database.url }));

  it('are what the entities say', async () => {
    await migrateService(service, config());
    expect(await schemaDrift(service, database.url)).toEqual([]);
    await database.query('ALTER TABLE webhook_dispatcher.delivery DROP COLUMN attempts_before');
    expect(await schemaDrift(service, database.url)).toEqual([expect.stringContaining('attempts_before')]);
  });

  it('come with the migrations, go with their undoing, and come again', async () => {
    const done = await migrateService(service, config());
    const dataSource = createDataSource(databaseOf(service.name, config()), modelOf(service));
    await dataSource.initialize();
    try {
      for (let step = 0; step < done.length; step += 1) await dataSource.undoLastMigration();
    } finally {
      await dataSource.destroy();
    }
    const left = await database.query(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = 'webhook_dispatcher'`,
    );
    expect(left).toEqual([{ table_name: 'migration' }]);
    expect(await migrateService(service, config())).toEqual(done);
  });
});
