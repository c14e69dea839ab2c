import { isStoreUnavailable, PreparedStatements } from '@aos/persistence';
import {
  createTestDatabase,
  eventually,
  startTcpProxy,
  waitingSessions,
  type TestDatabase,
} from '../src/index.js';
import { openTransaction } from './blocking-session.js';

describe('statements that stand alone', () => {
  let database: TestDatabase;
  let statements: PreparedStatements;

  beforeAll(async () => {
    database = await createTestDatabase([]);
    await database.query('CREATE SCHEMA notes');
    await database.query('CREATE TABLE notes.note (text text PRIMARY KEY, edits integer NOT NULL DEFAULT 0)');
  });

  afterAll(async () => {
    await database?.drop();
  });

  beforeEach(async () => {
    await database.query('DELETE FROM notes.note');
    statements = new PreparedStatements(settings(database.url));
  });

  afterEach(async () => {
    await statements.close();
  });

  const settings = (url: string) => ({ url, schema: 'notes', poolSize: 10, applicationName: 'notes' });
  const write = (text: string) =>
    statements.write<{ text: string }>('INSERT INTO note (text) VALUES ($1) RETURNING text', [text]);
  const read = (text: string) =>
    statements.read<{ text: string }>('SELECT text FROM note WHERE text = $1', [text]);
  const endSessions = () =>
    database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'notes'`,
    );
  const setDatabase = (setting: string) =>
    database.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting}', current_database()); END $$`,
    );
  const sessions = async () => {
    const rows = await database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'notes'`,
    );
    return rows.length;
  };

  /** Has something write to a, then b, while a rival writes to b, then a, who waits less long. Gives what was written. */
  async function standingInTheWay<T>(writeBoth: () => Promise<T>): Promise<T> {
    await write('a');
    await write('b');
    const other = await openTransaction(database);
    await other.query(`UPDATE notes.note SET edits = 1 WHERE text = 'b'`);
    const both = writeBoth();
    await eventually(async () => expect(await waitingSessions(database)).toBe(1));
    await other.query(`UPDATE notes.note SET edits = 1 WHERE text = 'a'`);
    await other.commit();
    const written = await both;
    expect(await database.query('SELECT text, edits FROM notes.note ORDER BY text')).toEqual([
      { text: 'a', edits: 11 },
      { text: 'b', edits: 11 },
    ]);
    return written;
  }

  it('read and write, each for itself', async () => {
    expect(await write('a')).toEqual([{ text: 'a' }]);
    expect(await read('a')).toEqual([{ text: 'a' }]);
    expect(await read('b')).toEqual([]);
  });

  it('give each of many callers its own answer, over a few connections', async () => {
    await Promise.all(Array.from({ length: 300 }, (_, index) => write(`note ${index}`)));
    const found = await Promise.all(Array.from({ length: 300 }, (_, index) => read(`note ${index}`)));
    expect(found).toEqual(Array.from({ length: 300 }, (_, index) => [{ text: `note ${index}` }]));
    await eventually(async () => expect(await sessions()).toBe(6));
  });

  it('give rows of their own, whose columns are those of the statement', async () => {
    const sql = `SELECT text, edits, NULL::timestamptz AS edited FROM note ORDER BY text`;
    for (const text of ['a', 'b']) await write(text);
    const first = await statements.read<{ text: string }>(sql);
    first[0]!.text = 'changed';
    const others = await Promise.all(Array.from({ length: 20 }, () => statements.read(sql)));
    const expected = ['a', 'b'].map((text) => ({ text, edits: 0, edited: null }));
    expect(others).toEqual(Array.from({ length: 20 }, () => expected));
  });

  it('do the same without private fields of pg, where another version is installed', async () => {
    const plain = new PreparedStatements(settings(database.url), false);
    try {
      const insert = 'INSERT INTO note (text) VALUES ($1) RETURNING text';
      const texts = Array.from({ length: 100 }, (_, index) => `note ${index}`);
      const written = await Promise.all(texts.map((text) => plain.write(insert, [text])));
      expect(written).toEqual(texts.map((text) => [{ text }]));
      const together = ['a', 'b'].map((text) => ({ sql: insert, parameters: [text] }));
      expect(await plain.writeTogether(together)).toEqual([[{ text: 'a' }], [{ text: 'b' }]]);
      await expect(plain.writeTogether([{ sql: insert, parameters: ['c'] }, together[0]!])).rejects.toThrow(
        'duplicate key',
      );
      expect(await plain.read('SELECT edits FROM note WHERE text = $1', ['a'])).toEqual([{ edits: 0 }]);
      expect(await plain.read('SELECT edits FROM note WHERE text = $1', ['c'])).toEqual([]);
      await eventually(async () => expect(await sessions()).toBe(6));
    } finally {
      await plain.close();
    }
  });

  it('have other columns after their connections were lost and the table was changed', async () => {
    const readAll = () => statements.read('SELECT * FROM changing');
    await database.query('CREATE TABLE notes.changing AS SELECT 1 AS one');
    for (let connection = 0; connection < 10; connection += 1) expect(await readAll()).toEqual([{ one: 1 }]);
    await database.query(`ALTER TABLE notes.changing ADD COLUMN two text DEFAULT 'two'`);
    await endSessions();
    await eventually(async () => expect(await sessions()).toBe(0));
    expect(await readAll()).toEqual([{ one: 1, two: 'two' }]);
  });

  it('have other columns when the table was changed under them', async () => {
    const readAll = () => statements.read('SELECT * FROM grown');
    const edit = { sql: 'UPDATE grown SET one = one RETURNING *', parameters: [] };
    await database.query('CREATE TABLE notes.grown AS SELECT 1 AS one');
    for (let connection = 0; connection < 10; connection += 1) {
      expect(await readAll()).toEqual([{ one: 1 }]);
      expect(await statements.writeTogether([edit])).toEqual([[{ one: 1 }]]);
    }
    await database.query(`ALTER TABLE notes.grown ADD COLUMN two text DEFAULT 'two'`);
    const beside = Array.from({ length: 20 }, () => read('none'));
    const grown = [{ one: 1, two: 'two' }];
    expect(await Promise.all(Array.from({ length: 20 }, readAll))).toEqual(Array(20).fill(grown));
    for (let connection = 0; connection < 10; connection += 1)
      expect(await statements.writeTogether([edit])).toEqual([grown]);
    expect(await Promise.all(beside)).toEqual(Array(20).fill([]));
  });

  it('leave a server that takes no writes any more', async () => {
    await write('before');
    await setDatabase('default_transaction_read_only = on');
    try {
      await endSessions();
      await eventually(() => read('before'));
      const refused = await write('refused').catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: '25006' });
      expect(isStoreUnavailable(refused)).toBe(true);
    } finally {
      await setDatabase('default_transaction_read_only = off');
    }
    // The session that was opened meanwhile would stay read-only: each of these writes finds another, or a new one.
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await write(`after ${turn}`)).toEqual([{ text: `after ${turn}` }]);
    }
  });

  it('have the server end sessions whose client has vanished', async () => {
    const rows = await statements.read<{ setting: string }>(
      `SELECT setting FROM pg_settings WHERE name LIKE 'tcp_keepalives_%' ORDER BY name`,
    );
    expect(rows.map(({ setting }) => setting)).toEqual(['3', '30', '10']);
  });

  it('that fail do so alone', async () => {
    await write('taken');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => write(index % 2 === 0 ? 'taken' : `free ${index}`)),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(20);
    const broken = statements.read('SELECT no_such_column FROM note');
    await expect(broken).rejects.toThrow(/no_such_column/);
    expect(await read('free 1')).toEqual([{ text: 'free 1' }]);
  });

  it('are made again when another stood in their way', async () => {
    const made = await standingInTheWay(() =>
      statements.write(
        `WITH first AS MATERIALIZED (UPDATE note SET edits = edits + 10 WHERE text = 'a' RETURNING text)
         UPDATE note SET edits = edits + 10 FROM first WHERE note.text = 'b' RETURNING edits`,
      ),
    );
    expect(made).toEqual([{ edits: 11 }]);
  });

  it('that are written together are all there or none, whatever is written beside them', async () => {
    const insert = 'INSERT INTO note (text) VALUES ($1) RETURNING text';
    await write('taken');
    const together = (texts: string[]) =>
      statements.writeTogether(texts.map((text) => ({ sql: insert, parameters: [text] })));
    expect(await together(['a', 'b'])).toEqual([[{ text: 'a' }], [{ text: 'b' }]]);
    const beside: Promise<unknown>[] = [];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => {
        const made = together([
          `first ${index}`,
          index % 2 === 0 ? 'taken' : `second ${index}`,
          `third ${index}`,
        ]);
        beside.push(write(`beside ${index}`));
        return made;
      }),
    );
    await Promise.all(beside);
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(failed.map(({ reason }) => (reason as Error).message)).toEqual(
      Array<unknown>(20).fill(expect.stringContaining('duplicate key')),
    );
    expect(await read('first 0')).toEqual([]);
    expect(await read('third 0')).toEqual([]);
    const [counts] = await database.query(
      `SELECT count(*) FILTER (WHERE text LIKE 'first %')::int AS firsts, count(*) FILTER (WHERE text LIKE 'third %')::int AS thirds,
              count(*) FILTER (WHERE text LIKE 'beside %')::int AS beside FROM notes.note`,
    );
    expect(counts).toEqual({ firsts: 20, thirds: 20, beside: 40 });
  });

  it('that are written together are made again when another stood in their way', async () => {
    const edit = 'UPDATE note SET edits = edits + 10 WHERE text = $1 RETURNING edits';
    const made = await standingInTheWay(() =>
      statements.writeTogether([
        { sql: edit, parameters: ['a'] },
        { sql: edit, parameters: ['b'] },
      ]),
    );
    expect(made).toEqual([[{ edits: 11 }], [{ edits: 11 }]]);
  });

  it('work again after their connections were lost', async () => {
    await write('kept');
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([read('kept'), read('kept')]);
      await endSessions();
      await eventually(async () => expect(await read('kept')).toEqual([{ text: 'kept' }]));
    }
    await eventually(() => write('later'));
    expect(await read('later')).toEqual([{ text: 'later' }]);
  });

  it('that were under way when the connection was lost say so', async () => {
    const under = statements.write('SELECT pg_sleep(4)').catch((error: unknown) => error);
    await eventually(async () => {
      const waiting = await database.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'notes' AND wait_event = 'PgSleep'`,
      );
      expect(waiting).toHaveLength(1);
    });
    await endSessions();
    expect(isStoreUnavailable(await under)).toBe(true);
  });

  it('find out that Postgres has vanished without a word', async () => {
    const proxy = await startTcpProxy(database.url);
    const far = new PreparedStatements(settings(proxy.url));
    try {
      await Promise.all(Array.from({ length: 4 }, () => far.write('SELECT 1')));
      proxy.freeze();
      const cutOff = far.write('SELECT 1').catch((error: unknown) => error);
      // Others that come later must not keep the first from its end.
      const later: Promise<unknown>[] = [];
      const traffic = setInterval(() => later.push(far.write('SELECT 1').catch(() => undefined)), 200);
      try {
        expect(isStoreUnavailable(await cutOff)).toBe(true);
        await eventually(() => Promise.all([far.write('SELECT 1'), far.write('SELECT 1')]), {
          timeoutMs: 30_000,
        });
      } finally {
        clearInterval(traffic);
        await Promise.all(later);
      }
    } finally {
      await far.close();
      await proxy.close();
    }
  });
});
