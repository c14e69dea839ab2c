import { eventually, type EventuallyOptions, type TestDatabase } from '../src/index.js';

/** The positions that the consumer has had an effect for, in the order of the effects. */
export async function seenPositions(database: TestDatabase): Promise<number[]> {
  const rows = await database.query<{ position: string }>(
    'SELECT position FROM fixture_consumer.seen_widget ORDER BY seq',
  );
  return rows.map(({ position }) => Number(position));
}

/** Waits for the last event, then asks that each of them was seen once, in order, for a widget that exists. */
export async function allSeenOnce(
  database: TestDatabase,
  count: number,
  options?: EventuallyOptions,
): Promise<void> {
  const expected = Array.from({ length: count }, (_, index) => index + 1);
  await eventually(async () => {
    expect((await seenPositions(database)).length).toBeGreaterThanOrEqual(count);
  }, options);
  expect(await seenPositions(database)).toEqual(expected);
  const strangers = await database.query(
    `SELECT widget_id FROM fixture.widget FULL JOIN fixture_consumer.seen_widget AS s ON s.widget_id = id
      WHERE id IS NULL OR s.widget_id IS NULL`,
  );
  expect(strangers).toEqual([]);
}

/** The replica that follows the log of the fixture service now. */
export async function leaseOwner(database: TestDatabase): Promise<string | null> {
  const [row] = await database.query<{ lease_owner: string | null }>(
    `SELECT lease_owner FROM fixture_consumer.event_position WHERE source = 'fixture' AND lease_until > now()`,
  );
  return row?.lease_owner ?? null;
}

/** As if the time of the lease had passed. */
export async function expireLease(database: TestDatabase): Promise<void> {
  await database.query('UPDATE fixture_consumer.event_position SET lease_until = now()');
}
