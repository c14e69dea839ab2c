import { RedisConnections } from '@aos/messaging';
import { eventually, startEmbedded, type EmbeddedStores } from '../../src/index.js';

describe('a Redis that was made a replica while connections stayed', () => {
  let stores: EmbeddedStores;
  let connections: RedisConnections;

  beforeAll(async () => {
    stores = await startEmbedded();
    connections = new RedisConnections({ url: stores.redisUrl, prefix: 'demoted' });
  });

  afterAll(async () => {
    connections?.close();
    await stores?.stop();
  });

  it('is left, and what was refused is sent again to the next', async () => {
    const { shared } = connections;
    const operator = connections.connect('operator');
    let reconnects = 0;
    shared.on('reconnecting', () => (reconnects += 1));
    expect(await shared.set('key', 'before')).toBe('OK');
    await operator.replicaof('127.0.0.1', 1);
    const written = shared.set('key', 'after');
    await eventually(() => expect(reconnects).toBeGreaterThan(1));
    // The connections now lead to a server that takes writes.
    await operator.call('REPLICAOF', 'NO', 'ONE');
    expect(await written).toBe('OK');
    expect(await shared.get('key')).toBe('after');
  });
});
