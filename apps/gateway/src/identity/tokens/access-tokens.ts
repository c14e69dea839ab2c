import { grantedScopes, type GrantedScope } from '@aos/contracts';
import { newId, Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import { Raw } from 'typeorm';
import { z } from 'zod';
import { GatewaySettings, type GatewayConfig } from '../../gateway.config.js';
import { signingAlgorithm, SigningKeys } from './signing-keys.js';
import { RevokedTokenEntity } from './token.entities.js';
import { isActiveToken } from './tokens.sql.js';

export const accessTokenSeconds = 3600;
const tokenType = 'at+jwt';

export interface AccessToken {
  readonly jti: string;
  readonly clientId: string;
  readonly teamId: string;
  readonly scopes: readonly GrantedScope[];
  readonly expiresAt: Date;
}

const claimsSchema = z.object({
  jti: z.uuid(),
  client_id: z.uuid(),
  team_id: z.uuid(),
  scope: z
    .string()
    .transform((text) => text.split(' '))
    .pipe(z.array(z.enum(grantedScopes))),
  exp: z.int(),
});

/** Access tokens of OAuth clients: signed JWTs (RFC 9068) that can be taken back. */
@Injectable()
export class AccessTokens {
  /** Issues the tokens and takes them: one address is issuer and audience. */
  private readonly address: string;

  constructor(
    private readonly transactions: Transactions,
    private readonly keys: SigningKeys,
    @Inject(GatewaySettings) config: Pick<GatewayConfig, 'PUBLIC_BASE_URL'>,
  ) {
    this.address = config.PUBLIC_BASE_URL;
  }

  async issue(client: { id: string; team_id: string }, scopes: readonly GrantedScope[]): Promise<string> {
    const { kid, privateKey } = await this.keys.current();
    return new SignJWT({ client_id: client.id, team_id: client.team_id, scope: scopes.join(' ') })
      .setProtectedHeader({ alg: signingAlgorithm, kid, typ: tokenType })
      .setIssuer(this.address)
      .setAudience(this.address)
      .setSubject(client.id)
      .setJti(newId())
      .setIssuedAt()
      .setExpirationTime(`${accessTokenSeconds}s`)
      .sign(privateKey);
  }

  /** Returns the claims of a valid token. Revocation is checked in the database. */
  async verify(token: string): Promise<AccessToken | undefined> {
    try {
      const { kid } = decodeProtectedHeader(token);
      const key = kid === undefined ? undefined : await this.keys.find(kid);
      if (!key) return undefined;
      const { payload } = await jwtVerify(token, key.publicKey, {
        issuer: this.address,
        audience: this.address,
        typ: tokenType,
        algorithms: [signingAlgorithm],
      });
      const claims = claimsSchema.parse(payload);
      return {
        jti: claims.jti,
        clientId: claims.client_id,
        teamId: claims.team_id,
        scopes: claims.scope,
        expiresAt: new Date(claims.exp * 1000),
      };
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof z.ZodError || error instanceof TypeError)
        return undefined;
      throw error;
    }
  }

  /** Neither taken back nor of a client that is gone. */
  async isActive(token: AccessToken): Promise<boolean> {
    const [row] = await this.transactions.query<{ active: boolean }>(isActiveToken, [
      token.clientId,
      token.teamId,
      token.jti,
    ]);
    return row!.active;
  }

  async revoke(token: AccessToken): Promise<void> {
    const revoked = this.transactions.repository(RevokedTokenEntity);
    await revoked.upsert({ jti: token.jti, expires_at: token.expiresAt }, ['jti']);
    // An expired token needs no mark; the list stays as short as an hour's revocations.
    await revoked.delete({ expires_at: Raw((column) => `${column} < now()`) });
  }
}
