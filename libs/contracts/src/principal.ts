import type { OperationAccess } from './operation-access.js';
import type { GrantedScope } from './scopes.js';

interface Credential {
  readonly credentialId: string;
  readonly scopes: readonly GrantedScope[];
  /** When the credential ends; absent for one that never does. */
  readonly expiresAt?: string;
}

/** A credential of a team. `link` is a signed address, on the account of the credential that asked for it. */
export interface TeamPrincipal extends Credential {
  readonly kind: 'api_key' | 'oauth_client' | 'link';
  readonly teamId: string;
}

/** The platform administrator, who belongs to no team. */
export interface AdminPrincipal extends Credential {
  readonly kind: 'admin';
  readonly teamId: null;
}

export type Principal = TeamPrincipal | AdminPrincipal;

/** Who may call an operation, and for which team. */
export type Caller<Access extends OperationAccess = OperationAccess> = Access extends 'admin'
  ? { readonly principal: AdminPrincipal; readonly teamId: null }
  : Access extends 'any'
    ? { readonly principal: Principal; readonly teamId: string | null }
    : { readonly principal: TeamPrincipal; readonly teamId: string };

/** The caller as the handler sees it; whoever may not call at all was refused at the gateway. */
export function callerOf(access: OperationAccess, principal: Principal): Caller {
  const isAdmin = principal.kind === 'admin';
  if ((access === 'admin' && !isAdmin) || (access !== 'admin' && access !== 'any' && isAdmin)) {
    throw new Error(`A request of ${principal.kind} has reached an operation for ${access}`);
  }
  return { principal, teamId: principal.teamId } as Caller;
}
