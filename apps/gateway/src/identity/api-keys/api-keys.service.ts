import { AppError, notFound, type GrantedScope, type Principal } from '@aos/contracts';
import { newId, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { hashToken, randomToken } from '@aos/secrets';
import { Injectable } from '@nestjs/common';
import { apiKeyPrefix, maxCredentials } from '../credentials.js';
import { grantable } from '../grantable.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { expiryOf } from './expiry.js';

export interface IssuedApiKey extends ApiKeyEntity {
  /** Shown once. */
  readonly key: string;
}

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly apiKeys: ApiKeysRepository,
    private readonly transactions: Transactions,
  ) {}

  async create(
    principal: Principal,
    teamId: string,
    wanted: { name: string; scopes?: readonly GrantedScope[]; expires_at?: string | null },
  ): Promise<IssuedApiKey> {
    const expiresAt = expiryOf(wanted.expires_at, new Date());
    return this.issue(teamId, {
      name: wanted.name,
      ...grantable(principal, { scopes: wanted.scopes, expiresAt }),
    });
  }

  async issue(
    teamId: string,
    { name, scopes, expiresAt }: { name: string; scopes: GrantedScope[]; expiresAt: Date | null },
  ): Promise<IssuedApiKey> {
    const key = randomToken(apiKeyPrefix);
    const row = await this.add({
      id: newId(),
      team_id: teamId,
      name,
      hash: hashToken(key),
      scopes,
      expires_at: expiresAt,
    });
    return { ...row, key };
  }

  private add(row: Parameters<ApiKeysRepository['insert']>[0]): Promise<ApiKeyEntity> {
    return this.transactions.run(async () => {
      if ((await this.apiKeys.countForAddition(row.team_id)) >= maxCredentials)
        throw new AppError('limit_reached', `A team has at most ${maxCredentials} API keys.`);
      return this.apiKeys.insert(row);
    });
  }

  list(teamId: string, page: PageRequest): Promise<Page<ApiKeyEntity>> {
    return this.apiKeys.list(teamId, page);
  }

  async revoke(teamId: string, keyId: string): Promise<void> {
    if (!(await this.apiKeys.revoke(teamId, keyId))) throw notFound();
  }
}
