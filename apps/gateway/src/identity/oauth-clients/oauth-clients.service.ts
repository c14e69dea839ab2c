import { AppError, idSchema, notFound, type GrantedScope, type Principal } from '@aos/contracts';
import { newId, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { hashToken, randomToken, timingSafeEqualText } from '@aos/secrets';
import { Injectable } from '@nestjs/common';
import { clientSecretPrefix, maxCredentials } from '../credentials.js';
import { grantable } from '../grantable.js';
import type { OAuthClientEntity } from './oauth-client.entity.js';
import { OAuthClientsRepository } from './oauth-clients.repository.js';

export interface IssuedOAuthClient extends OAuthClientEntity {
  /** Shown once. */
  readonly clientSecret: string;
}

@Injectable()
export class OAuthClientsService {
  constructor(
    private readonly clients: OAuthClientsRepository,
    private readonly transactions: Transactions,
  ) {}

  async create(
    principal: Principal,
    teamId: string,
    wanted: { name: string; scopes?: readonly GrantedScope[] },
  ): Promise<IssuedOAuthClient> {
    // A client has no end of its own, and would go on when its maker is gone.
    const { scopes } = grantable(principal, { scopes: wanted.scopes, expiresAt: null });
    const clientSecret = randomToken(clientSecretPrefix);
    const row = await this.add({
      id: newId(),
      team_id: teamId,
      name: wanted.name,
      secret_hash: hashToken(clientSecret),
      scopes,
    });
    return { ...row, clientSecret };
  }

  private add(row: Parameters<OAuthClientsRepository['insert']>[0]): Promise<OAuthClientEntity> {
    return this.transactions.run(async () => {
      if ((await this.clients.countForAddition(row.team_id)) >= maxCredentials)
        throw new AppError('limit_reached', `A team has at most ${maxCredentials} OAuth clients.`);
      return this.clients.insert(row);
    });
  }

  list(teamId: string, page: PageRequest): Promise<Page<OAuthClientEntity>> {
    return this.clients.list(teamId, page);
  }

  async delete(teamId: string, clientId: string): Promise<void> {
    if (!(await this.clients.revoke(teamId, clientId))) throw notFound();
  }

  /** The client that proved to know its secret. */
  async authenticate(clientId: string, clientSecret: string): Promise<OAuthClientEntity | undefined> {
    const id = idSchema.safeParse(clientId);
    const client = id.success ? await this.clients.findActive(id.data) : undefined;
    const matches = timingSafeEqualText(client?.secret_hash ?? '', hashToken(clientSecret));
    return matches ? client : undefined;
  }
}
