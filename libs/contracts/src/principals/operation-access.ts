/**
 * Who may call. `team`: a team's credential, `admin`: only the platform administrator's key, `any`: that one too,
 * `link`: whoever has the address, for its token is the permission, `open`: anybody, the owner of the operation decides
 * by what the request says.
 */
export type OperationAccess = 'team' | 'admin' | 'any' | 'link' | 'open';
