import { refuseMoreThanHeld, type GrantedScope, type HandedOut, type Principal } from '@aos/contracts';

/** A new credential has the requested scopes, or its maker's; never more than its maker's. */
export function grantable(
  principal: Principal,
  asked: { readonly scopes?: readonly GrantedScope[]; readonly expiresAt?: Date | null },
): HandedOut & { readonly scopes: GrantedScope[] } {
  const { scopes = principal.scopes, expiresAt = endOf(principal) } = asked;
  const wanted = { scopes: [...scopes], expiresAt };
  refuseMoreThanHeld(principal, wanted);
  return wanted;
}

function endOf({ expiresAt }: Principal): Date | null {
  return expiresAt === undefined ? null : new Date(expiresAt);
}
