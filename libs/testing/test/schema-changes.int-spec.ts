import { createIndexConcurrently, migrate, type DatabaseModel } from '@aos/persistence';
import { databaseOf, modelOf, startService } from '@aos/service';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import {
  createTestDatabase,
  eventually,
  fixtureService,
  testConfig,
  type TestDatabase,
} from '../src/index.js';

class Colour1800000099001 {
  readonly name = 'Colour1800000099001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE widget ADD colour text');
  }

  async down(): Promise<void> {}
}

class NameIndex1800000099002 {
  readonly name = 'NameIndex1800000099002';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return createIndexConcurrently(runner, {
      name: 'widget_name',
      table: 'widget',
      definition: '(name)',
      unique: true,
    });
  }

  async down(): Promise<void> {}
}

describe('a schema that changes while replicas work', () => {
  let database: TestDatabase;
  let session: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase([fixtureService]);
    session = new pg.Client({ connectionString: database.url });
    await session.connect();
  });

  afterEach(async () => {
    await session.end();
    await database.drop();
  });

  const settings = () => databaseOf('fixture', testConfig({ DATABASE_URL: database.url }));
  const withMore = (...more: (new () => { name: string })[]): DatabaseModel => {
    const { entities, migrations } = modelOf(fixtureService);
    return { entities, migrations: [...migrations, ...more] };
  };
  const insert = (name: string) =>
    database.query(
      `INSERT INTO fixture.widget (id, team_id, name, polished, created_at)
       VALUES (gen_random_uuid(), gen_random_uuid(), $1, 0, now())`,
      [name],
    );
  const isValid = async () => {
    const [row] = await database.query<{ valid: boolean }>(
      `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('fixture.widget_name')`,
    );
    return row?.valid;
  };

  it('gives way to a transaction that is open, lets others pass, and is changed after it', async () => {
    await session.query('BEGIN; SELECT count(*) FROM fixture.widget');
    const migrating = migrate(settings(), withMore(Colour1800000099001), {
      lockTimeoutMs: 100,
      pauseMs: 50,
      tries: 1_000,
    });
    // A migration that waits without end would hold all of these up behind it.
    for (let made = 0; made < 20; made += 1) await insert(`w${made}`);
    await session.query('COMMIT');
    expect(await migrating).toEqual(['Colour1800000099001']);
    await database.query('SELECT colour FROM fixture.widget');
  });

  it('is not changed where the lock is never to be had, and stays as it was', async () => {
    await session.query('BEGIN; SELECT count(*) FROM fixture.widget');
    const options = { lockTimeoutMs: 50, pauseMs: 10, tries: 3 };
    await expect(migrate(settings(), withMore(Colour1800000099001), options)).rejects.toThrow(/lock timeout/);
    await session.query('COMMIT');
    await expect(database.query('SELECT colour FROM fixture.widget')).rejects.toThrow(/does not exist/);
  });

  it('gets an index while rows are written, by one of many replicas that start', async () => {
    await session.query('BEGIN');
    await session.query(`INSERT INTO fixture.widget (id, team_id, name, polished, created_at)
      VALUES (gen_random_uuid(), gen_random_uuid(), 'open', 0, now())`);
    const model = withMore(NameIndex1800000099002);
    const replicas = Promise.all(Array.from({ length: 4 }, () => migrate(settings(), model)));
    // It waits for the open transaction, longer than a lock is waited for, and nobody waits for it.
    await eventually(async () => expect(await isValid()).toBe(false));
    for (let made = 0; made < 20; made += 1) await insert(`w${made}`);
    await session.query('COMMIT');
    expect((await replicas).flat()).toEqual(['NameIndex1800000099002']);
    expect(await isValid()).toBe(true);
  });

  it('gets an index that could not be made, once it can be, and keeps no invalid one', async () => {
    await insert('twice');
    await insert('twice');
    const model = withMore(NameIndex1800000099002);
    await expect(migrate(settings(), model)).rejects.toThrow(/duplicated|could not create unique index/);
    expect(await isValid()).toBe(false);
    await database.query('DELETE FROM fixture.widget');
    expect(await migrate(settings(), model)).toEqual(['NameIndex1800000099002']);
    expect(await isValid()).toBe(true);
  });

  it('is not worked on by a version that needs a later one, and is by one that knows an earlier one', async () => {
    const own = { MIGRATE_ON_START: 'false', MIGRATION_WAIT_MS: '0', DATABASE_URL: database.url };
    const config = testConfig(own);
    const newer = {
      ...fixtureService,
      model: {
        ...fixtureService.model,
        migrations: [Colour1800000099001],
      },
    };
    await expect(startService(newer, config)).rejects.toThrow(/older version: Colour1800000099001 not made/);
    await migrate(settings(), withMore(Colour1800000099001));
    const older = await startService(fixtureService, config);
    await older.close();
    const patient = startService(
      {
        ...newer,
        model: { ...newer.model, migrations: [...newer.model.migrations, NameIndex1800000099002] },
      },
      testConfig({ ...own, MIGRATION_WAIT_MS: '20000' }),
    );
    await migrate(settings(), withMore(Colour1800000099001, NameIndex1800000099002));
    await (await patient).close();
  });
});
