import { randomUUID } from 'node:crypto';
import type { BusEvent } from '@aos/contracts';
import { EventEntries, EventPublisher } from '@aos/events';
import { RedisConnections } from '@aos/messaging';
import { Tracing } from '@aos/platform';
import { eventually } from '../src/index.js';

describe('the stream of a service', () => {
  const url = process.env['TEST_REDIS_URL']!;
  const connections = new RedisConnections({ url, prefix: `test-${randomUUID()}` });
  const publisher = new EventPublisher(connections, Tracing.off, new EventEntries(), 10_000);
  const stream = connections.key('events', 'runs');
  const lengthOfStream = () => connections.shared.xlen(stream);
  beforeAll(() => eventually(() => connections.ping()));
  afterAll(async () => {
    await connections.shared.del(stream);
    connections.close();
  });

  const publish = async (entries: number, eventsOfEach: number) => {
    for (let i = 0; i < entries; i++) await publisher.publish('runs', eventsOf(eventsOfEach));
  };

  it('holds as many of its newest entries as Redis has room for, however many events they are', async () => {
    // Larger than the pieces of which Redis drops whole ones only.
    await publish(120, 100);
    expect(await lengthOfStream()).toBe(100);
    await publish(1, 1_000);
    expect(await lengthOfStream()).toBe(50);
    await publish(1_000, 1);
    const few = await lengthOfStream();
    expect(few).toBeGreaterThanOrEqual(500);
    expect(few).toBeLessThan(700);
  });

  it('takes no more than some mebibytes, however large the events are', async () => {
    for (let round = 0; round < 100; round += 1)
      await publisher.publish('runs', eventsOf(20, { result: 'x'.repeat(50_000) }));
    const bytes = Number(await connections.shared.call('MEMORY', 'USAGE', stream, 'SAMPLES', 0));
    expect(bytes).toBeGreaterThan(10 * 1024 * 1024);
    expect(bytes).toBeLessThan(24 * 1024 * 1024);
    await publisher.publish('runs', eventsOf(1, { result: 'x'.repeat(1_000_000) }));
    const [[, fields]] = (await connections.shared.xrevrange(stream, '+', '-', 'COUNT', 1)) as [
      [string, string[]],
    ];
    expect(fields[1]!.length).toBeLessThan(1_000);
  });
});

function eventsOf(count: number, data: object = { run: { id: randomUUID() } }): BusEvent[] {
  return Array.from({ length: count }, (_, position) => ({
    id: randomUUID(),
    event: 'run.started',
    created_at: '2026-01-01T00:00:00.000Z',
    data: { ...data },
    meta: { source: 'runs', position, team_id: null },
  }));
}
