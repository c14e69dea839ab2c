import pg from 'pg';
import { PreparedQuery, streamOf } from './prepared-query.js';

describe('PreparedQuery', () => {
  const statement = { name: 'of-the-statement', text: 'SELECT $1' };

  it('has once it is emptied nothing that was asked or answered, in the pinned version', () => {
    const query = new PreparedQuery(statement, ['asked'], () => undefined);
    const fields = Object.keys(query);
    query.empty();
    expect(Object.keys(query)).toEqual(fields);
    expect(JSON.stringify({ ...query, statement: undefined })).not.toMatch(/asked|SELECT/);
    expect(Object.values(query).some((value) => value instanceof pg.Result)).toBe(false);
  });
});

describe('streamOf', () => {
  it('finds the socket of a client of the pinned version before it is connected', () => {
    expect(typeof streamOf(new pg.Client()).cork).toBe('function');
  });
});
