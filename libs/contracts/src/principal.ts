import type { GrantedScope } from './scopes.js';

/** Who calls. `teamId` is null for the platform administrator, who belongs to no team. */
export interface Principal {
  readonly kind: 'api_key' | 'oauth_client' | 'admin';
  readonly credentialId: string;
  readonly teamId: string | null;
  readonly scopes: readonly GrantedScope[];
}
