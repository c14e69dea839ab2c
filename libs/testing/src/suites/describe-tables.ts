import { createDataSource, schemaOf } from '@aos/persistence';
import {
  databaseOf,
  loadServiceConfig,
  migrateService,
  modelOf,
  type ServiceConfig,
  type ServiceDefinition,
} from '@aos/service-host';
import { schemaDrift } from '../infrastructure/schema-drift.js';
import { testEnvironment } from '../infrastructure/test-config.js';
import { createTestDatabase, type TestDatabase } from '../infrastructure/test-database.js';

/** Something of a table, to see that the lack of it is found. */
export interface TablePart {
  readonly table: string;
  readonly kind: 'column' | 'constraint';
  readonly name: string;
}

/** The suite that every service with tables has. */
export function describeTables<Config extends ServiceConfig>(
  service: ServiceDefinition<Config>,
  { table, kind, name }: TablePart,
): void {
  const schema = schemaOf(service.name);

  describe(`the tables of ${service.name}`, () => {
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
      await database.query(`ALTER TABLE ${schema}.${table} DROP ${kind} ${name}`);
      expect(await schemaDrift(service, database.url)).toEqual([expect.stringContaining(name)]);
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
        `SELECT table_name FROM information_schema.tables WHERE table_schema = $1`,
        [schema],
      );
      expect(left).toEqual([{ table_name: 'migration' }]);
      expect(await migrateService(service, config())).toEqual(done);
    });
  });
}
