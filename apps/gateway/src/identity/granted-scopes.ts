import { allScopes, AppError, type GrantedScope, type Principal } from '@aos/contracts';

/** The scopes of a new credential: those asked for, or the caller's own. Nobody grants what it does not hold. */
export function grantableScopes(
  principal: Principal,
  asked: readonly GrantedScope[] | undefined,
): GrantedScope[] {
  const held = principal.scopes;
  if (asked === undefined) return [...held];
  const beyond = held.includes(allScopes) ? [] : asked.filter((scope) => !held.includes(scope));
  if (beyond.length > 0) {
    throw new AppError(
      'insufficient_scope',
      `The credential does not hold what it would grant: ${beyond.join(' ')}.`,
    );
  }
  return [...asked];
}
