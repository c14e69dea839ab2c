import type { GrantedScope, Principal } from '@aos/contracts';
import { grantableScopes } from './granted-scopes.js';

const holding = (...scopes: GrantedScope[]): Principal => ({
  kind: 'api_key',
  credentialId: 'k',
  teamId: 't',
  scopes,
});

describe('grantableScopes', () => {
  it("are the caller's own where none are asked for", () => {
    expect(grantableScopes(holding('runs:read', 'team:admin'), undefined)).toEqual([
      'runs:read',
      'team:admin',
    ]);
    expect(grantableScopes(holding('*'), undefined)).toEqual(['*']);
  });

  it('are those asked for, if the caller holds them', () => {
    expect(grantableScopes(holding('runs:read', 'team:admin'), ['runs:read'])).toEqual(['runs:read']);
    expect(grantableScopes(holding('*'), ['runs:read', '*'])).toEqual(['runs:read', '*']);
  });

  it('are never more, and what is too much is named', () => {
    expect(() => grantableScopes(holding('team:admin'), ['runs:read', 'team:admin', 'billing:read'])).toThrow(
      expect.objectContaining({
        code: 'insufficient_scope',
        message: expect.stringContaining('runs:read billing:read'),
      }),
    );
    expect(() => grantableScopes(holding('team:admin'), ['*'])).toThrow(
      expect.objectContaining({ code: 'insufficient_scope' }),
    );
  });
});
