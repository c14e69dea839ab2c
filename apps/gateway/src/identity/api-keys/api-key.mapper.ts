import type { apiKeySchema, issuedApiKeySchema } from '@aos/contracts';
import type { z } from 'zod';
import type { ApiKeyEntity } from './api-key.entity.js';
import type { IssuedApiKey } from './api-keys.service.js';

export function toApiKey(row: ApiKeyEntity): z.input<typeof apiKeySchema> {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export function toIssuedApiKey(issued: IssuedApiKey): z.input<typeof issuedApiKeySchema> {
  return { ...toApiKey(issued), key: issued.key };
}
