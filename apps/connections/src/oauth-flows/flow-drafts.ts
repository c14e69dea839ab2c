import { randomBytes } from 'node:crypto';
import { AppError } from '@aos/contracts';
import { newId } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionSettings, type ConnectionsConfig } from '../config/connections.config.js';
import type { ConnectionEntity } from '../connections/connection.entity.js';
import { ConnectionsService } from '../connections/connections.service.js';
import type { NewConnection } from '../connections/connections.repository.js';
import { callbackUrl } from '../mcp-servers/client-document.js';
import type { Flow } from './oauth-flows.repository.js';
import { isAllowedReturn } from './return-url.js';

/** Everything about a flow that is known before anything is written. */
export interface PreparedFlow {
  readonly flow: Flow;
  /** Null where one is mended. */
  readonly connection: NewConnection | null;
  readonly scopeSeparator?: string;
  readonly params?: Readonly<Record<string, string>>;
}

/** Prepares consents of all kinds. */
@Injectable()
export class FlowDrafts {
  constructor(
    private readonly connections: ConnectionsService,
    @Inject(ConnectionSettings)
    private readonly settings: Pick<ConnectionsConfig, 'PUBLIC_BASE_URL' | 'OAUTH_RETURN_ORIGINS'>,
  ) {}

  /** The redirect address of one connection, or the shared one without a connection. */
  redirectUri(connectionId?: string): string {
    return callbackUrl(this.settings.PUBLIC_BASE_URL, connectionId);
  }

  prepare(
    teamId: string,
    mended: ConnectionEntity | undefined,
    given: Omit<PreparedFlow, 'flow' | 'connection'> & {
      flow: Omit<Flow, 'teamId' | 'connectionId' | 'verifier'>;
      connection: Pick<NewConnection, 'type' | 'provider' | 'name'>;
    },
    id = mended?.id ?? newId(),
  ): PreparedFlow {
    const fresh: NewConnection = {
      id,
      team_id: teamId,
      ...given.connection,
      server_url: given.flow.serverUrl,
      auth_method: 'oauth',
      status: 'pending',
      is_draft: true,
    };
    const verifier = randomBytes(32).toString('base64url');
    return {
      ...given,
      flow: { ...given.flow, teamId, connectionId: id, verifier },
      connection: mended ? null : fresh,
    };
  }

  /** The connection that is to be mended, if one is. */
  async mended(
    teamId: string,
    given: { reconnect_connection_id?: string; reconnect_instance_id?: string },
  ): Promise<ConnectionEntity | undefined> {
    const id = given.reconnect_connection_id ?? given.reconnect_instance_id;
    return id === undefined ? undefined : this.connections.find(teamId, id);
  }

  allowedReturn(url: string | undefined): string | null {
    if (url === undefined) return null;
    if (isAllowedReturn(url, this.settings.OAUTH_RETURN_ORIGINS)) return url;
    throw new AppError('invalid_request', 'return_url: must have an origin that the operator allows');
  }
}

/** Each once, in their order. */
export function union(...lists: (readonly string[] | undefined)[]): string[] {
  return [...new Set(lists.flatMap((list) => list ?? []))];
}
