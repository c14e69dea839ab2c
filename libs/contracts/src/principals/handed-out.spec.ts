import { refuseMoreThanHeld } from './handed-out.js';
import type { Principal } from './principal.js';
import type { GrantedScope } from './scopes.js';

const never = null;
const noon = new Date('2026-07-18T12:00:00.000Z');
const holding = (scopes: GrantedScope[], expiresAt?: Date): Principal => ({
  kind: 'api_key',
  credentialId: 'k',
  teamId: 't',
  scopes,
  expiresAt: expiresAt?.toISOString(),
});

describe('refuseMoreThanHeld', () => {
  it.each<[GrantedScope[], GrantedScope[]]>([
    [['*'], ['*', 'runs:read']],
    [['runs:read', 'team:admin'], ['runs:read']],
    [['runs:read'], []],
  ])('who holds %j may hand out %j', (held, scopes) => {
    expect(() => refuseMoreThanHeld(holding(held), { scopes, expiresAt: never })).not.toThrow();
  });

  it.each<[GrantedScope[], GrantedScope[], string]>([
    [['team:admin'], ['*'], '*'],
    [['team:admin'], ['runs:read', 'team:admin', 'billing:read'], 'runs:read billing:read'],
  ])('who holds %j may not hand out %j, and what is too much is named', (held, scopes, named) => {
    expect(() => refuseMoreThanHeld(holding(held), { scopes, expiresAt: never })).toThrow(
      expect.objectContaining({ code: 'insufficient_scope', message: expect.stringContaining(named) }),
    );
  });

  it.each([
    [undefined, never],
    [undefined, noon],
    [noon, noon],
    [noon, new Date(noon.getTime() - 1)],
  ])('who ends at %s may hand out what ends at %s', (own, expiresAt) => {
    expect(() => refuseMoreThanHeld(holding(['*'], own), { scopes: ['*'], expiresAt })).not.toThrow();
  });

  it.each([
    [noon, never],
    [noon, new Date(noon.getTime() + 1)],
  ])('who ends at %s may not hand out what ends at %s', (own, expiresAt) => {
    expect(() => refuseMoreThanHeld(holding(['*'], own), { scopes: ['*'], expiresAt })).toThrow(
      expect.objectContaining({ code: 'forbidden', message: expect.stringContaining(own.toISOString()) }),
    );
  });
});
