import { createApiKey, deleteApiKey, listApiKeys, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { toApiKey, toIssuedApiKey } from './api-key.mapper.js';
import { ApiKeysService } from './api-keys.service.js';

@Controller()
export class ApiKeysHandlers {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Handles(createApiKey)
  async createApiKey({ principal, teamId, body }: Req<typeof createApiKey>) {
    const issued = await this.apiKeys.create(principal, teamId, body);
    return { api_key_id: issued.id, api_key: toIssuedApiKey(issued) };
  }

  @Handles(listApiKeys)
  async listApiKeys({ teamId, query }: Req<typeof listApiKeys>) {
    return listAnswer('api_keys', await this.apiKeys.list(teamId, query), toApiKey);
  }

  @Handles(deleteApiKey)
  async deleteApiKey({ teamId, params }: Req<typeof deleteApiKey>) {
    await this.apiKeys.revoke(teamId, params.keyId);
    return { success: true as const };
  }
}
