import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createDataSource, migrate } from '@aos/persistence';
import { databaseOf, defineService, migrateService, modelOf, type ServiceDefinition } from '@aos/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  createTestDatabase,
  fixtureConsumerService,
  fixtureEntries,
  fixtureService,
  schemaDrift,
  testConfig,
  testEnvironment,
  type TestDatabase,
} from '../src/index.js';

const run = promisify(execFile);

const services = [fixtureService, fixtureConsumerService];

/** The table that the fixture's migrations make, but for one column. */
@Entity('widget')
class ChangedWidget {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { nullable: true })
  colour!: string | null;
}

describe('migrations', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase([]);
  });

  afterEach(async () => {
    await database.drop();
  });

  const settingsOf = ({ name }: ServiceDefinition) =>
    databaseOf(name, testConfig({ DATABASE_URL: database.url }));
  const tables = async (schema: string) => {
    const rows = await database.query<{ name: string }>(
      `SELECT table_name || '.' || column_name || ' ' || data_type AS name FROM information_schema.columns
        WHERE table_schema = $1 ORDER BY 1`,
      [schema],
    );
    return rows.map(({ name }) => name);
  };

  it('are made by a process of their own, which ends, and by many at once', async () => {
    const environment = testEnvironment({ DATABASE_URL: database.url, LOG_LEVEL: 'info' });
    const command = () =>
      run(process.execPath, [fixtureEntries.fixture, 'migrate'], {
        env: { PATH: process.env['PATH'], ...environment },
      });
    const outputs = await Promise.all([command(), command()]);
    const made = outputs.map(({ stdout }) => (JSON.parse(stdout) as { migrations: string[] }).migrations);
    const names = modelOf(fixtureService).migrations.map((migration) => migration.name);
    expect(made.toSorted((one, other) => other.length - one.length)).toEqual([names, []]);
    // It was no service: it left no session behind and took no requests.
    expect((await tables('fixture')).length).toBeGreaterThan(20);
  });

  it('that a process of their own cannot make end it with 1, and a bad setting with 78', async () => {
    const environment = testEnvironment({ DATABASE_URL: database.url });
    const codeOf = async (changes: Record<string, string>) =>
      run(process.execPath, [fixtureEntries.fixture, 'migrate'], {
        env: { ...environment, ...changes },
      }).catch((error: { code: number }) => error.code);
    const nobody = new URL(database.url);
    nobody.pathname = '/no_such_database';
    expect(await codeOf({ DATABASE_URL: nobody.href })).toBe(1);
    expect(await codeOf({ DATABASE_URL: 'nonsense' })).toBe(78);
  });

  it.each(services)('of $name go up, down and up again', async (definition) => {
    const settings = settingsOf(definition);
    const model = modelOf(definition);
    const names = model.migrations.map((migration) => migration.name);
    expect(await migrate(settings, model)).toEqual(names);
    expect(await migrate(settings, model)).toEqual([]);
    const first = await tables(settings.schema);
    expect(first.length).toBeGreaterThan(20);

    const dataSource = await createDataSource(settings, model).initialize();
    for (const _ of names) await dataSource.undoLastMigration();
    await dataSource.destroy();
    const left = await tables(settings.schema);
    expect(left.filter((name) => !name.startsWith('migration.'))).toEqual([]);

    expect(await migrate(settings, model)).toEqual(names);
    expect(await tables(settings.schema)).toEqual(first);
  });

  it.each(services)('of $name make the tables that its entities describe', async (definition) => {
    await migrate(settingsOf(definition), modelOf(definition));
    expect(await schemaDrift(definition, database.url)).toEqual([]);
  });

  it('that differ from the entities are found', async () => {
    await migrate(settingsOf(fixtureService), modelOf(fixtureService));
    const changed = defineService({
      name: 'fixture',
      model: { entities: [ChangedWidget], tables: fixtureService.model.tables },
      modules: [],
    });
    const drift = (await schemaDrift(changed, database.url)).join('\n');
    expect(drift).toContain('ADD "colour" text');
    expect(drift).toContain('DROP COLUMN "name"');
  });

  it('and a table that was changed behind them are found', async () => {
    await migrate(settingsOf(fixtureService), modelOf(fixtureService));
    await database.query('ALTER TABLE fixture.logged_event ALTER COLUMN event DROP NOT NULL');
    await database.query('DROP INDEX fixture.outbox_batch_pending');
    const drift = (await schemaDrift(fixtureService, database.url)).join('\n');
    expect(drift).toContain('"event" SET NOT NULL');
    expect(drift).toContain('outbox_batch_pending');
  });

  it('run once when replicas start together', async () => {
    const settings = settingsOf(fixtureService);
    const model = modelOf(fixtureService);
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(settings, model)));
    expect(runs.flat()).toEqual(model.migrations.map((migration) => migration.name));
    expect(await schemaDrift(fixtureService, database.url)).toEqual([]);
  });

  it('may take as long as they need', async () => {
    const seen: string[] = [];
    class Slow1800000000009 {
      readonly name = 'Slow1800000000009';

      async up(runner: { query(sql: string): Promise<{ statement_timeout: string }[]> }): Promise<void> {
        const [row] = await runner.query('SHOW statement_timeout');
        seen.push(row!.statement_timeout);
      }

      async down(): Promise<void> {}
    }
    const settings = settingsOf(fixtureService);
    await migrate(settings, { entities: [], migrations: [Slow1800000000009] });
    expect(seen).toEqual(['0']);
    const ordinary = await createDataSource(settings, { entities: [], migrations: [] }).initialize();
    expect(await ordinary.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '10s' }]);
    await ordinary.destroy();
  });

  it('that fail leave nothing of themselves, and those before them stay', async () => {
    class Broken1800000099999 {
      readonly name = 'Broken1800000099999';

      async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
        await runner.query('CREATE TABLE half (id integer)');
        await runner.query('SELECT no_such_function()');
      }

      async down(): Promise<void> {}
    }
    const broken: ServiceDefinition = {
      ...fixtureService,
      model: {
        ...fixtureService.model,
        migrations: [Broken1800000099999],
      },
    };
    const config = testConfig({ DATABASE_URL: database.url });
    await expect(migrateService(broken, config)).rejects.toThrow(/no_such_function/);
    const names = await tables('fixture');
    expect(names.some((name) => name.startsWith('widget.'))).toBe(true);
    expect(names.some((name) => name.startsWith('half.'))).toBe(false);
    expect(await migrateService(fixtureService, config)).toEqual([]);
  });

  it('of a version before 1.0 are left as they are, and said to be', async () => {
    const settings = settingsOf(fixtureService);
    await migrate(settings, modelOf(fixtureService));
    await database.query(`UPDATE fixture.migration SET name = 'Foundation1760000000000'`);
    const before = await tables('fixture');
    await expect(migrate(settings, modelOf(fixtureService))).rejects.toThrow(
      /version before 1\.0.*empty database/,
    );
    expect(await tables('fixture')).toEqual(before);
  });

  it('keep services apart: each sees its own schema and no other', async () => {
    for (const definition of services) await migrate(settingsOf(definition), modelOf(definition));
    const fixture = await createDataSource(settingsOf(fixtureService), modelOf(fixtureService)).initialize();
    try {
      await fixture.query('SELECT 1 FROM widget, idempotency_record');
      await expect(fixture.query('SELECT 1 FROM seen_widget')).rejects.toThrow(/does not exist/);
      await database.query('CREATE TABLE public.stray (id integer)');
      await expect(fixture.query('SELECT 1 FROM stray')).rejects.toThrow(/does not exist/);
      const [path] = await fixture.query<{ search_path: string }[]>('SHOW search_path');
      expect(path!.search_path).toBe('fixture');
    } finally {
      await fixture.destroy();
    }
  });
});
