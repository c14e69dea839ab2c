import { nearestName } from './nearest-name.js';

const known = ['message', 'agent_id', 'metadata', 'model', 'limit', 'webhook_url', 'id'];

describe('the nearest name', () => {
  it.each([
    ['mesage', 'message'],
    ['messgae', 'message'],
    ['massages', 'message'],
    ['agentId', 'agent_id'],
    ['Agent-ID', 'agent_id'],
    ['modle', 'model'],
    ['limt', 'limit'],
    ['webhookurl', 'webhook_url'],
  ])('of %s is %s', (given, meant) => expect(nearestName(given, known)).toBe(meant));

  it.each(['', 'colour', 'zz', 'x'.repeat(100_000)])('of %.20s is none', (given) =>
    expect(nearestName(given, known)).toBeUndefined(),
  );
});
