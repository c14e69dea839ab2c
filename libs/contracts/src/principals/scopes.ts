/** Each operation names exactly one scope. */
export const scopes = [
  'team:read',
  'team:admin',
  'agents:read',
  'agents:write',
  'runs:read',
  'runs:write',
  'approvals:write',
  'evals:read',
  'evals:write',
  'queues:read',
  'queues:write',
  'files:read',
  'sandboxes:write',
  'artifacts:read',
  'artifacts:write',
  'connections:read',
  'connections:write',
  'webhooks:manage',
  'billing:read',
  'mcp:call',
] as const;

export type Scope = (typeof scopes)[number];

/** Without it nobody ends what waits for an approval: a run, its case, its agent. */
export const cancelsApprovals = 'approvals:write' satisfies Scope;

/** Stands for every scope, also those that later versions add. */
export const allScopes = '*';

export type GrantedScope = Scope | typeof allScopes;

export const grantedScopes = [allScopes, ...scopes] as const;

export function grants(granted: readonly GrantedScope[], needed: Scope): boolean {
  return granted.includes(allScopes) || granted.includes(needed);
}
