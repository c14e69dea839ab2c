import {
  createOAuthClient,
  deleteOAuthClient,
  listOAuthClients,
  type oauthClientSchema,
  type Req,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import type { OAuthClientEntity } from './oauth-client.entity.js';
import { OAuthClientsService } from './oauth-clients.service.js';

@Controller()
export class OAuthClientsHandlers {
  constructor(private readonly clients: OAuthClientsService) {}

  @Handles(createOAuthClient)
  async createOAuthClient({ principal, teamId, body }: Req<typeof createOAuthClient>) {
    const issued = await this.clients.create(principal, teamId, body);
    return {
      client_id: issued.id,
      oauth_client: { ...toOAuthClient(issued), client_secret: issued.clientSecret },
    };
  }

  @Handles(listOAuthClients)
  async listOAuthClients({ teamId, query }: Req<typeof listOAuthClients>) {
    return listAnswer('oauth_clients', await this.clients.list(teamId, query), toOAuthClient);
  }

  @Handles(deleteOAuthClient)
  async deleteOAuthClient({ teamId, params }: Req<typeof deleteOAuthClient>) {
    await this.clients.delete(teamId, params.clientId);
    return { success: true as const };
  }
}

function toOAuthClient(row: OAuthClientEntity): z.input<typeof oauthClientSchema> {
  return {
    id: row.id,
    client_id: row.id,
    name: row.name,
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
  };
}
