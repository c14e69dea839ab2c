import { allScopes, type Principal } from '@aos/contracts';
import { hashToken, timingSafeEqualText } from '@aos/secrets';
import { Inject, Injectable } from '@nestjs/common';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { ApiKeysRepository } from '../identity/api-keys/api-keys.repository.js';
import { SessionsRepository } from '../identity/sessions/sessions.repository.js';
import { AccessTokens } from '../identity/tokens/access-tokens.js';
import { bearerToken } from './bearer-token.js';
import { CredentialCache } from './credential-cache.js';
import { SessionCookie } from './session-cookie.js';
import { apiKeyPrefix } from '../identity/credentials.js';

const administrator: Principal = {
  kind: 'admin',
  credentialId: 'platform-admin',
  teamId: null,
  scopes: [allScopes],
};

interface CredentialHeaders {
  readonly authorization?: string | undefined;
  readonly cookie?: string | undefined;
}

/** Tells who a bearer token, or a session, stands for. */
@Injectable()
export class Authenticator {
  readonly sessionCookie: SessionCookie;
  private readonly cache = new CredentialCache();
  private readonly adminKeyHash: string | undefined;

  constructor(
    private readonly apiKeys: ApiKeysRepository,
    private readonly accessTokens: AccessTokens,
    private readonly sessions: SessionsRepository,
    @Inject(GatewaySettings) config: Pick<GatewayConfig, 'ADMIN_KEY' | 'PUBLIC_BASE_URL'>,
  ) {
    this.sessionCookie = new SessionCookie(config.PUBLIC_BASE_URL);
    this.adminKeyHash = config.ADMIN_KEY === undefined ? undefined : hashToken(config.ADMIN_KEY);
  }

  async authenticate(token: string): Promise<Principal | undefined> {
    return this.cache.get(token, () => this.read(token));
  }

  /** A session acts as its API key while both are valid. */
  async authenticateSession(token: string): Promise<Principal | undefined> {
    return this.cache.get(`session ${token}`, () => this.readSession(token));
  }

  /** The token of the session of a browser. */
  sessionIn({ cookie }: CredentialHeaders): string | undefined {
    return this.sessionCookie.tokenIn(cookie);
  }

  /** Whether what a request began with still holds: an answer that goes on, or was put off, may outlive its credential. */
  async stillHolds(headers: CredentialHeaders): Promise<boolean> {
    const { authorization } = headers;
    const token = authorization === undefined ? this.sessionIn(headers) : bearerToken(authorization);
    if (token === undefined) return false;
    const principal =
      authorization === undefined ? this.authenticateSession(token) : this.authenticate(token);
    return (await principal) !== undefined;
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

  private async readSession(token: string): Promise<Principal | undefined> {
    const session = await this.sessions.find(token);
    if (session?.state !== 'open') return undefined;
    return {
      kind: 'api_key',
      credentialId: session.api_key_id,
      teamId: session.team_id,
      scopes: session.scopes,
      expiresAt: session.key_expires_at?.toISOString(),
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
