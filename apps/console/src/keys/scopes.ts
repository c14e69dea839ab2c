import type { GrantedScope } from '@aos/client';

/** What a credential may be given; `*` is everything. */
export const scopes: readonly GrantedScope[] = [
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
];
