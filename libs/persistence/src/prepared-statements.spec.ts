import pg from 'pg';
import { PreparedStatements, socketOf } from './prepared-statements.js';

describe('PreparedStatements', () => {
  it('find the socket of a client of the pinned version before it is connected', () => {
    expect(typeof socketOf(new pg.Client()).cork).toBe('function');
    const settings = {
      url: 'postgres://127.0.0.1:1/none',
      schema: 'none',
      poolSize: 1,
      applicationName: 'none',
    };
    expect(() => new PreparedStatements(settings)).not.toThrow();
  });

  it.each([{}, { connection: {} }, { connection: { stream: { write: () => true } } }])(
    'refuse a version of pg whose client is %j',
    (client) => expect(() => socketOf(client)).toThrow(/pg has no field `connection.stream`/),
  );
});
