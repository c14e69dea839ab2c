import { createDataSource } from '@aos/persistence';
import { databaseOf, migrateService, modelOf } from '@aos/service';
import { createTestDatabase, schemaDrift, type TestDatabase } from '@aos/testing';
import { gatewayService } from '../src/gateway.service.js';
import { gatewayConfig } from './gateway-in-process.js';

const definition = gatewayService();

describe('the tables of the gateway', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase([]);
  });

  afterEach(async () => {
    await database?.drop();
  });

  async function tables(): Promise<string[]> {
    const rows = await database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'gateway' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  }

  it('are what the entities say', async () => {
    await migrateService(definition, gatewayConfig({ DATABASE_URL: database.url }));
    expect(await schemaDrift(definition, database.url)).toEqual([]);
    await database.query('ALTER TABLE gateway.api_key ADD COLUMN forgotten text');
    expect(await schemaDrift(definition, database.url)).toEqual([expect.stringContaining('forgotten')]);
  });

  it('come with the migrations, go with their undoing, and come again', async () => {
    const config = gatewayConfig({ DATABASE_URL: database.url });
    const done = await migrateService(definition, config);
    const atFirst = await tables();
    expect(atFirst).toEqual(
      expect.arrayContaining([
        'api_key',
        'oauth_client',
        'revoked_token',
        'sign_in_session',
        'signing_key',
        'team',
      ]),
    );
    expect(await migrateService(definition, config)).toEqual([]);

    const dataSource = createDataSource(databaseOf('gateway', config), modelOf(definition));
    await dataSource.initialize();
    try {
      for (let step = 0; step < done.length; step += 1) await dataSource.undoLastMigration();
    } finally {
      await dataSource.destroy();
    }
    expect(await tables()).toEqual(['migration']);

    expect(await migrateService(definition, config)).toEqual(done);
    expect(await tables()).toEqual(atFirst);
  });
});
