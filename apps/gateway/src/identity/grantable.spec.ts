import type { GrantedScope, Principal } from '@aos/contracts';
import { grantable } from './grantable.js';

const end = new Date('2026-07-18T12:00:00.000Z');
const sooner = new Date(end.getTime() - 1);
const later = new Date(end.getTime() + 1);

const holding = (scopes: GrantedScope[], expiresAt?: Date): Principal => ({
  kind: 'api_key',
  credentialId: 'k',
  teamId: 't',
  scopes,
  expiresAt: expiresAt?.toISOString(),
});

describe('grantable', () => {
  it("are the caller's own scopes where none are asked for", () => {
    const held: GrantedScope[] = ['runs:read', 'team:admin'];
    expect(grantable(holding(held), {}).scopes).toEqual(held);
    expect(grantable(holding(['*']), {}).scopes).toEqual(['*']);
  });

  it('are the scopes asked for, if the caller holds them', () => {
    const asked: GrantedScope[] = ['runs:read'];
    expect(grantable(holding(['runs:read', 'team:admin']), { scopes: asked }).scopes).toEqual(asked);
    expect(grantable(holding(['*']), { scopes: ['runs:read', '*'] }).scopes).toEqual(['runs:read', '*']);
  });

  it('are never more', () => {
    expect(() => grantable(holding(['team:admin']), { scopes: ['runs:read'] })).toThrow(
      expect.objectContaining({ code: 'insufficient_scope' }),
    );
  });

  it.each([
    [undefined, undefined, null],
    [undefined, end, end],
    [end, undefined, end],
    [end, end, end],
    [end, sooner, sooner],
  ])('who ends at %s and asks for %s makes what ends at %s', (own, expiresAt, expected) => {
    expect(grantable(holding(['*'], own), { expiresAt }).expiresAt).toEqual(expected);
  });

  it.each([[later], [null]])('who ends cannot make what ends at %s', (expiresAt) => {
    expect(() => grantable(holding(['*'], end), { expiresAt })).toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    );
  });
});
