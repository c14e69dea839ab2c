import type { GrantedScope } from './scopes.js';

/**
 * Who calls. `teamId` is null for the platform administrator, who belongs to no team; `link` is whoever has a signed
 * address.
 */
export interface Principal {
  readonly kind: 'api_key' | 'oauth_client' | 'admin' | 'link';
  readonly credentialId: string;
  readonly teamId: string | null;
  readonly scopes: readonly GrantedScope[];
  /** When the credential ends; absent for one that never does. */
  readonly expiresAt?: string;
}
