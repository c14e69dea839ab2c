import { PreparedStatements } from '@aos/persistence';
import { createTestDatabase, eventually } from '../../src/index.js';

describe('pipelined connections', () => {
  it('are closed when they are idle, and opened again', async () => {
    const database = await createTestDatabase([]);
    const settings = { url: database.url, schema: 'public', poolSize: 10, applicationName: 'idle' };
    const statements = new PreparedStatements(settings);
    const sessions = async () => {
      const rows = await database.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'idle'`);
      return rows.length;
    };
    // A probe opens none, and keeps none.
    const probes = setInterval(() => void statements.ping(), 500);
    try {
      await statements.ping();
      expect(await sessions()).toBe(0);
      await Promise.all(Array.from({ length: 6 }, () => statements.write('SELECT 1')));
      expect(await sessions()).toBeGreaterThan(0);
      await eventually(async () => expect(await sessions()).toBe(0), { timeoutMs: 40_000 });
      expect(await statements.read('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      clearInterval(probes);
      await statements.close();
      await database.drop();
    }
  });
});
