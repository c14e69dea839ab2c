import { refuseMoreThanHeld, type GrantedScope, type HandedOut, type Principal } from '@aos/contracts';

/** What a new credential shall be: as asked for, or as its maker is. A credential grants only what it holds. */
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
