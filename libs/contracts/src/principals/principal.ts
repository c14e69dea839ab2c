import type { GrantedScope } from './scopes.js';

/**
 * `team`: a team's credential · `admin`: the platform admin key · `any`: both · `link`: the token in the URL is the
 * permission · `open`: anybody; the owner decides by the request.
 */
export type OperationAccess = 'team' | 'admin' | 'any' | 'link' | 'open';

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

/** An anonymous caller at an address of the network, where an operation is open to all. */
export interface AnonymousPrincipal extends Credential {
  readonly kind: 'anonymous';
  readonly teamId: null;
}

export type Principal = TeamPrincipal | AdminPrincipal | AnonymousPrincipal;

export type Caller<Access extends OperationAccess = OperationAccess> = Access extends 'admin'
  ? { readonly principal: AdminPrincipal; readonly teamId: null }
  : Access extends 'open'
    ? { readonly principal: AnonymousPrincipal; readonly teamId: null }
    : Access extends 'any'
      ? { readonly principal: TeamPrincipal | AdminPrincipal; readonly teamId: string | null }
      : { readonly principal: TeamPrincipal; readonly teamId: string };

/** Which kinds of credential each access is for. */
const isFor: Readonly<Record<OperationAccess, (kind: Principal['kind']) => boolean>> = {
  admin: (kind) => kind === 'admin',
  open: (kind) => kind === 'anonymous',
  any: (kind) => kind !== 'anonymous',
  team: isOfTeam,
  link: isOfTeam,
};

function isOfTeam(kind: Principal['kind']): boolean {
  return kind !== 'admin' && kind !== 'anonymous';
}

/** The caller as the handler sees it; a credential that may not call at all was refused at the gateway. */
export function callerOf(access: OperationAccess, principal: Principal): Caller {
  if (!isFor[access](principal.kind)) {
    throw new Error(`A request of ${principal.kind} has reached an operation for ${access}`);
  }
  return { principal, teamId: principal.teamId } as Caller;
}
