import pg from 'pg';
import { emptyQuery } from './answered-query.js';

it('leaves a query of the pinned version nothing that was asked or answered', () => {
  const query = new pg.Query({ name: 'of-the-statement', text: 'SELECT $1', values: ['asked'] });
  const fields = Object.keys(query);
  emptyQuery(query);
  expect(Object.keys(query)).toEqual(fields);
  expect(JSON.stringify(query)).not.toContain('asked');
  expect(Object.values(query).some((value) => value instanceof pg.Result)).toBe(false);
});
