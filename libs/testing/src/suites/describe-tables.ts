import { createDataSource, migrate, schemaOf } from '@aos/persistence';
import {
  databaseOf,
  loadServiceConfig,
  migrateService,
  modelOf,
  type ServiceConfig,
  type ServiceDefinition,
} from '@aos/service';
import { schemaDrift } from '../infrastructure/schema-drift.js';
import { problemsSince, type DeclaredMigration } from '../schema-changes/migration-rules.js';
import { oldCodeProblems } from '../schema-changes/old-code-problems.js';
import { releasedMigrations } from '../schema-changes/released-migrations.js';
import { readCatalog } from '../schema-changes/schema-catalog.js';
import { testEnvironment } from '../infrastructure/test-config.js';
import { createTestDatabase, type TestDatabase } from '../infrastructure/test-database.js';

/** Something of a table, to see that the lack of it is found. */
export interface TablePart {
  readonly table: string;
  readonly kind: 'column' | 'constraint';
  readonly name: string;
}

interface SampledColumn {
  readonly table: string;
  readonly column: string;
  readonly isDocument: boolean;
  readonly target: number | null;
}

/** The columns of the tables of which some column is not sampled as Postgres would by itself. */
const sampledTables = `
SELECT relname AS table, attname AS column, atttypid IN ('jsonb'::regtype, 'uuid[]'::regtype) AS "isDocument",
       attstattarget AS target
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
 WHERE relnamespace = to_regnamespace($1) AND attnum > 0 AND NOT attisdropped
   AND attrelid IN (SELECT attrelid FROM pg_attribute WHERE attstattarget >= 0 AND attnum > 0)`;

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

    it('have no documents that ANALYZE would sort, where they grow with every run', async () => {
      await migrateService(service, config());
      const columns = (await database.query(sampledTables, [schema])) as SampledColumn[];
      expect(columns).toContainEqual({ table: 'logged_event', column: 'data', isDocument: true, target: 0 });
      expect(columns.filter(({ isDocument, target }) => isDocument && target !== 0)).toEqual([]);
    });

    describe('since the last release', () => {
      const released = releasedMigrations[service.name] ?? [];
      const model = modelOf(service);
      const before = {
        ...model,
        migrations: model.migrations.filter(({ name: made }) => released.includes(made)),
      };

      it('still have the migrations that it had', () => {
        expect(before.migrations.map(({ name: made }) => made)).toEqual(released);
      });

      it('change without standing in the way of replicas that work', async () => {
        expect(await problemsSince(released, model.migrations)).toEqual([]);
      });

      it('become what they are from the tables of before, which replicas of before can go on with', async () => {
        const settings = databaseOf(service.name, config());
        await migrate(settings, before);
        const old = await readCatalog(database, schema);
        await migrate(settings, model);
        const now = await readCatalog(database, schema);
        const contracted = model.migrations
          .filter(({ name: made }) => !released.includes(made))
          .flatMap((Migration) => Object.keys((new Migration() as DeclaredMigration).contracts ?? {}));
        const problems = oldCodeProblems(old, now).filter(
          (problem) => !contracted.some((what) => problem.startsWith(`${what}:`)),
        );
        expect(problems).toEqual([]);
        // A migration that was written earlier and came later would be made in another order here than in a new database.
        expect(await schemaDrift(service, database.url)).toEqual([]);
        const fresh = await createTestDatabase([service as unknown as ServiceDefinition]);
        try {
          expect(await readCatalog(fresh, schema)).toEqual(now);
        } finally {
          await fresh.drop();
        }
      });
    });
  });
}
