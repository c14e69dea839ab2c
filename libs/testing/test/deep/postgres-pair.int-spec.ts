import { openDatabase, startPostgresPair, type PostgresPair } from '../../src/index.js';

const timelineOf = `SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline`;

describe('a primary and its standby', () => {
  let pair: PostgresPair;

  beforeAll(async () => {
    pair = await startPostgresPair();
  });

  afterAll(() => pair?.stop());

  it('lose what was committed after the standby was cut off, and only that', async () => {
    const database = openDatabase(pair.url);
    const make = (id: number) => database.query('INSERT INTO made (id) VALUES ($1)', [id]);
    const all = () => database.query('SELECT id FROM made ORDER BY id');
    const timeline = async () => (await database.query<{ timeline: string }>(timelineOf))[0]!.timeline;
    try {
      await database.query('CREATE TABLE made (id integer)');
      await make(1);
      const former = await timeline();
      await pair.loseCommitsFromNowOn();
      await make(2);
      expect(await all()).toEqual([{ id: 1 }, { id: 2 }]);
      await pair.failover();
      expect(await all()).toEqual([{ id: 1 }]);
      expect(parseInt(await timeline(), 16)).toBe(parseInt(former, 16) + 1);
      await make(3);
      expect(await all()).toEqual([{ id: 1 }, { id: 3 }]);
    } finally {
      await database.close();
    }
  });
});
