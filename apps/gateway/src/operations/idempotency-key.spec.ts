import { createTeam, listTeams } from '@aos/contracts';
import { idempotencyKey } from './idempotency-key.js';

describe('idempotencyKey', () => {
  it('is the header of a mutating request', () => {
    expect(idempotencyKey(createTeam, 'a')).toBe('a');
    expect(idempotencyKey(createTeam, 'k'.repeat(255))).toHaveLength(255);
    expect(idempotencyKey(createTeam, undefined)).toBeUndefined();
  });

  it.each([[''], ['k'.repeat(256)], [['a', 'b']]])('refuses %j', (header) => {
    expect(() => idempotencyKey(createTeam, header)).toThrow(
      expect.objectContaining({ code: 'invalid_idempotency_key' }),
    );
  });

  it('means nothing on a read', () => {
    expect(idempotencyKey(listTeams, 'a')).toBeUndefined();
    expect(idempotencyKey(listTeams, '')).toBeUndefined();
  });
});
