import { allScopes, type Principal } from '@aos/contracts';
import { hashToken, timingSafeEqualText } from '@aos/secrets';
import { Inject, Injectable } from '@nestjs/common';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { ApiKeysRepository } from '../identity/api-keys/api-keys.repository.js';
import { AccessTokens } from '../identity/tokens/access-tokens.js';
import { bearerToken } from './bearer-token.js';
import { CredentialCache } from './credential-cache.js';
import { apiKeyPrefix } from '../identity/token-prefixes.js';

const administrator: Principal = {
  kind: 'admin',
  credentialId: 'platform-admin',
  teamId: null,
  scopes: [allScopes],
};

/** Tells who a bearer token stands for. */
@Injectable()
export class Authenticator {
  private readonly cache = new CredentialCache();
  private readonly adminKeyHash: string | undefined;

  constructor(
    private readonly apiKeys: ApiKeysRepository,
    private readonly accessTokens: AccessTokens,
    @Inject(GatewaySettings) config: Pick<GatewayConfig, 'ADMIN_KEY'>,
  ) {
    this.adminKeyHash = config.ADMIN_KEY === undefined ? undefined : hashToken(config.ADMIN_KEY);
  }

  async authenticate(token: string): Promise<Principal | undefined> {
    return this.cache.get(token, () => this.read(token));
  }

  /** Whether what a request began with still holds: an answer that goes on, or was put off, may outlive its credential. */
  async stillHolds(authorization: string | undefined): Promise<boolean> {
    const token = bearerToken(authorization);
    return token !== undefined && (await this.authenticate(token)) !== undefined;
  }

  private async read(token: string): Promise<Principal | undefined> {
    const hash = hashToken(token);
    if (this.adminKeyHash !== undefined && timingSafeEqualText(hash, this.adminKeyHash)) return administrator;
    return token.startsWith(apiKeyPrefix) ? this.readApiKey(hash) : this.readAccessToken(token);
  }

  private async readApiKey(hash: string): Promise<Principal | undefined> {
    const key = await this.apiKeys.findByHash(hash);
    if (!key || (key.expires_at !== null && key.expires_at.getTime() <= Date.now())) return undefined;
    return {
      kind: 'api_key',
      credentialId: key.id,
      teamId: key.team_id,
      scopes: key.scopes,
      expiresAt: key.expires_at?.toISOString(),
    };
  }

  private async readAccessToken(token: string): Promise<Principal | undefined> {
    const claims = await this.accessTokens.verify(token);
    if (!claims || !(await this.accessTokens.isActive(claims))) return undefined;
    return {
      kind: 'oauth_client',
      credentialId: claims.clientId,
      teamId: claims.teamId,
      scopes: claims.scopes,
      expiresAt: claims.expiresAt.toISOString(),
    };
  }
}
