import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConnectionsService } from '../connections/connections.service.js';
import { OAuthCalls } from '../oauth-client/oauth-calls.js';
import type { PreparedFlow } from './flow-drafts.js';
import { OAuthFlowsRepository } from './oauth-flows.repository.js';

const lifeSeconds = 600;

/** Begins consents. */
@Injectable()
export class FlowStarts {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly flows: OAuthFlowsRepository,
    private readonly calls: OAuthCalls,
  ) {}

  /** Inside a transaction. */
  async begin({ flow, connection, scopeSeparator, params }: PreparedFlow) {
    if (connection) await this.connections.create(connection);
    else await this.connections.find(flow.teamId, flow.connectionId);
    const state = randomBytes(32).toString('base64url');
    const expiresAt = await this.flows.insert(state, flow, lifeSeconds);
    const { server, client_id: clientId, redirect_uri: redirectUri, resource } = flow.oauth;
    const { scopes, verifier } = flow;
    return {
      authorization_url: await this.calls.authorizationUrl({
        ...{ server, clientId, redirectUri, resource, state, verifier, scopes, scopeSeparator, params },
      }),
      state,
      connection_id: flow.connectionId,
      expires_at: expiresAt.toISOString(),
    };
  }
}
