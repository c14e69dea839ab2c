import pg from 'pg';
import { connectionOf, WritableClient } from './writable-client.js';

describe('WritableClient', () => {
  it('finds the connection of a client of the pinned version before it is connected', () => {
    expect(typeof connectionOf(new pg.Client()).stream.cork).toBe('function');
    expect(() => new WritableClient()).not.toThrow();
  });

  it.each([{}, { connection: {} }, { connection: { stream: { write: () => true } } }])(
    'refuses a version of pg whose client is %j',
    (client) => expect(() => connectionOf(client)).toThrow(/pg has no field `connection.stream`/),
  );
});
