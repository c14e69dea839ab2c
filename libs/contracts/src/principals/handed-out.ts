import { AppError } from '../errors.js';
import type { Principal } from './principal.js';
import { allScopes, type GrantedScope } from './scopes.js';

export interface HandedOut {
  readonly scopes: readonly GrantedScope[];
  /** Null for never. */
  readonly expiresAt: Date | null;
}

/** A credential hands out no more than it holds: no scope beyond its own, and nothing that outlives it. */
export function refuseMoreThanHeld(principal: Principal, { scopes, expiresAt }: HandedOut): void {
  const held = principal.scopes;
  const beyond = held.includes(allScopes) ? [] : scopes.filter((scope) => !held.includes(scope));
  if (beyond.length > 0) {
    throw new AppError(
      'insufficient_scope',
      `The credential does not hold what it would grant: ${beyond.join(' ')}.`,
    );
  }
  if (principal.expiresAt === undefined) return;
  if (expiresAt === null || expiresAt > new Date(principal.expiresAt)) {
    throw new AppError(
      'forbidden',
      `The credential ends at ${principal.expiresAt} and cannot make one that lives longer.`,
    );
  }
}
